package accept

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// tagged reads an object whose tag picks the rows. The tag may stand behind
// other members.
func (c *Checker) tagged(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindObject {
		c.mismatch(n)
		return
	}
	start := c.scan.Offset()
	tag, at := c.peekTag(n)
	isLine := n == c.root
	switch {
	case c.scan.Err() != nil:
		return
	case tag == nil:
		c.fail(start, "missing field `"+n.tag+"`")
	case tag.Kind() != jsonraw.KindString:
		c.fail(at, "invalid type: "+describe(tag.Kind(), tag)+", expected a "+n.name)
	default:
		name := tag.Unquoted()
		body := n.variants[string(name)]
		if isLine {
			c.kind, c.record = tag, body
		}
		if body == nil {
			body = n.rest
		}
		if body != nil {
			c.ghost = c.ghost || body.ghost
			c.value(body, kind)
			return
		}
		c.fail(at, "unknown variant `"+clip(name)+"` of "+n.name)
	}
	c.scan.Skip()
}

// peekTag looks for the tag of n in the object ahead and returns its value and
// offset; nil when there is none. The scanner stays where it is.
func (c *Checker) peekTag(n *node) (jsonraw.Value, int) {
	m := c.scan.Mark()
	c.muted++
	var found jsonraw.Value
	at := 0
	c.scan.OpenObject()
	for more := c.scan.ToName(true); more; more = c.scan.ToName(false) {
		hit := c.scan.NameIs(n.tagWritten)
		if hit {
			c.scan.TakeName(n.tagWritten)
		} else {
			raw, ok := c.scan.Name()
			hit = ok && string(c.scan.Text(raw)) == n.tag
		}
		hit = hit && !c.skip[c.scan.NameOffset()]
		c.scan.Next()
		at = c.scan.Offset()
		if val := c.scan.Skip(); hit && c.scan.Err() == nil {
			found = val
			break
		}
	}
	c.muted--
	c.scan.Rewind(m)
	return found, at
}

// hasKey reports whether the value ahead is an object with the key of n.
func (c *Checker) hasKey(n *node, kind jsonraw.Kind) bool {
	if kind != jsonraw.KindObject {
		return false
	}
	val, _ := c.peekTag(n)
	return val != nil
}

// external reads a string, or an object with the one key that picks the type of
// its content.
func (c *Checker) external(n *node, kind jsonraw.Kind) {
	off := c.scan.Offset()
	switch kind {
	case jsonraw.KindString:
		word := c.scan.Text(c.scan.String())
		_, hasContent := n.variants[string(word)]
		switch {
		case c.scan.Err() != nil || n.words[string(word)]:
		case hasContent:
			c.fail(off, "invalid type: unit variant, expected content for `"+clip(word)+"`")
		case n.open == closed:
			c.fail(off, "unknown variant `"+clip(word)+"`, expected a "+n.name)
		}
	case jsonraw.KindObject:
		count := 0
		c.scan.OpenObject()
		for raw, ok := c.scan.Member(true); ok; raw, ok = c.scan.Member(false) {
			if c.overridden() {
				continue
			}
			if count++; count == 1 {
				c.content(n, c.scan.Text(raw))
			} else {
				c.scan.Skip()
			}
		}
		if count != 1 {
			c.fail(off, "invalid value: map, expected map with a single key")
		}
	default:
		c.mismatch(n)
	}
}

// content reads the value behind the key of an external variant.
func (c *Checker) content(n *node, name []byte) {
	kind := c.scan.Next()
	off := c.scan.Offset()
	if body := n.variants[string(name)]; body != nil {
		c.value(body, kind)
		return
	}
	c.ignore(kind)
	lit := jsonraw.Value(c.line[off:c.scan.Offset()])
	switch {
	case n.open == openKeys && !n.words[string(name)]:
	case n.open == openUnitKeys && (kind == jsonraw.KindNull || isEmptyObject(lit)):
	default:
		c.fail(off, "unknown or unit variant `"+clip(name)+"` with content")
	}
}

func isEmptyObject(v jsonraw.Value) bool {
	if v.Kind() != jsonraw.KindObject {
		return false
	}
	o, err := jsonraw.ParseObject(v)
	return err == nil && len(o.Members) == 0
}
