package validate

func bloatCodes() []Code { return nil }

func bloatRule() rule { return rule{name: "bloatRule"} }
