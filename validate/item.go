package validate

func itemCodes() []Code { return nil }

func itemRule() rule { return rule{name: "itemRule"} }
