package validate

func metadataCodes() []Code { return nil }

func metadataRule() rule { return rule{name: "metadataRule"} }
