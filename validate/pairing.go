package validate

func pairingCodes() []Code { return nil }

func pairingRule() rule { return rule{name: "pairingRule"} }
