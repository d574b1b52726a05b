package validate

func encryptedCodes() []Code { return nil }

func encryptedRule() rule { return rule{name: "encryptedRule"} }
