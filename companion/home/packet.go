package home

import (
	"encoding/binary"
	"strings"
	"unicode"

	"majordome/companion/mqttguard"
)

// Packet types, MQTT 3.1.1 section 2.2.1 and MQTT 5 section 2.1.2.
const (
	typeConnect     = 1
	typePublish     = 3
	typePuback      = 4
	typePubrec      = 5
	typePubrel      = 6
	typePubcomp     = 7
	typeSubscribe   = 8
	typeUnsubscribe = 10
	typePingreq     = 12
	typeDisconnect  = 14
)

// maxFiltersAtOnce is the greatest number of filters in one SUBSCRIBE; Home Assistant sends 300.
const maxFiltersAtOnce = 512

// connectPacket is a CONNECT, MQTT 3.1.1 section 3.1 and MQTT 5 section 3.1.
type connectPacket struct {
	level, flags byte
	keepalive    uint16
	props        []byte // of MQTT 5, without their length
	id           string
	willProps    []byte
	willTopic    string
	will         string
	user         string
	password     string
}

// Flags of a CONNECT.
const (
	flagClean      = 0x02
	flagWill       = 0x04
	flagWillQoS    = 0x18
	flagWillRetain = 0x20
	flagPassword   = 0x40
	flagUser       = 0x80
)

// bridgeStates begins the topics on which Mosquitto bridges leave their wills. No account may write there.
const bridgeStates = "$SYS/broker/connection/"

// refusal is the error that ends a connection, with the packet to send before.
type refusal struct {
	reason string
	answer []byte
}

func (r *refusal) Error() string { return "home: " + r.reason }

var errMalformed = &refusal{reason: "malformed"}

// newRefusal returns the refusal of a CONNECT, with the return code codeV3 for MQTT 3.1.1 or the reason code codeV5 for MQTT 5.
func (c *connectPacket) newRefusal(reason string, codeV3, codeV5 byte) error {
	if c.level == 5 {
		return &refusal{reason, []byte{0x20, 3, 0, codeV5, 0}}
	}
	return &refusal{reason, []byte{0x20, 2, 0, codeV3}}
}

// splitProps splits b after the properties of MQTT 5, section 2.2.2, and returns them without their length.
func splitProps(b []byte) (props, rest []byte, ok bool) {
	n, shift := 0, 0
	for i, c := range b {
		n |= int(c&0x7f) << shift
		if shift += 7; c < 0x80 {
			end := i + 1 + n
			if end > len(b) {
				return nil, nil, false
			}
			return b[i+1 : end], b[end:], true
		}
		if i == 3 {
			break
		}
	}
	return nil, nil, false
}

// parseConnect parses a CONNECT. It drops a will of a Mosquitto bridge on bridgeStates.
func parseConnect(body []byte) (*connectPacket, error) {
	c := &connectPacket{}
	name, rest, ok := mqttguard.SplitString(body)
	if !ok || len(rest) < 4 {
		return nil, errMalformed
	}
	c.level = rest[0] & 0x7f // a bridge of Mosquitto sets the top bit
	if name != "MQTT" || c.level != 4 && c.level != 5 {
		c.level = 4
		return nil, c.newRefusal("version", 1, 0)
	}
	c.flags, c.keepalive = rest[1], binary.BigEndian.Uint16(rest[2:4])
	if c.flags&1 != 0 || c.flags&flagWillQoS == flagWillQoS || c.flags&flagWill == 0 && c.flags&(flagWillQoS|flagWillRetain) != 0 {
		return nil, errMalformed
	}
	if !c.parseFields(rest[4:]) {
		return nil, errMalformed
	}
	if strings.HasPrefix(c.willTopic, bridgeStates) {
		c.flags &^= flagWill | flagWillQoS | flagWillRetain
	}
	return c, nil
}

// parseFields reads what follows the keep alive: the properties of MQTT 5, and the fields of the payload that the flags announce (section
// 3.1.3).
func (c *connectPacket) parseFields(rest []byte) (ok bool) {
	ok = true
	props := func(to *[]byte) {
		if ok && c.level == 5 {
			*to, rest, ok = splitProps(rest)
		}
	}
	text := func(to *string) {
		if ok {
			*to, rest, ok = mqttguard.SplitString(rest)
		}
	}
	props(&c.props)
	text(&c.id)
	if c.flags&flagWill != 0 {
		props(&c.willProps)
		text(&c.willTopic)
		text(&c.will)
	}
	if c.flags&flagUser != 0 {
		text(&c.user)
	}
	if c.flags&flagPassword != 0 {
		text(&c.password)
	}
	return ok && len(rest) == 0
}

// wantsStoredSession reports whether the session is to outlive the connection.
func (c *connectPacket) wantsStoredSession() bool {
	if c.level == 4 {
		return c.flags&flagClean == 0
	}
	expiry, _ := uint32Prop(c.props, propSessionExpiry)
	return expiry > 0
}

// hasValidID reports whether the client id is allowed, or empty where the gate may assign one.
func (c *connectPacket) hasValidID() bool {
	if c.id == "" {
		return c.level == 5 || c.flags&flagClean != 0
	}
	return len(c.id) <= maxID && !strings.ContainsFunc(c.id, unicode.IsControl)
}

// encodeWith returns the packet with another client id and another password: the password of the device must not go further.
func (c *connectPacket) encodeWith(id, password string) []byte {
	var b []byte
	str := func(s string) { b = appendString(b, s) }
	props := func(p []byte) {
		if c.level == 5 {
			b = appendLength(b, len(p))
			b = append(b, p...)
		}
	}
	str("MQTT")
	b = append(b, c.level, c.flags|flagPassword)
	b = binary.BigEndian.AppendUint16(b, c.keepalive)
	props(c.props)
	str(id)
	if c.flags&flagWill != 0 {
		props(c.willProps)
		str(c.willTopic)
		str(c.will)
	}
	if c.flags&flagUser != 0 {
		str(c.user)
	}
	str(password)
	return append(appendLength([]byte{typeConnect << 4}, len(b)), b...)
}

// appendString writes a string with its length (MQTT 3.1.1 section 1.5.3).
func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// appendLength writes a variable byte integer, MQTT 5 section 1.5.5.
func appendLength(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// The properties of MQTT 5 that uint32Prop knows, section 2.2.2.2.
const (
	propMessageExpiry = 0x02
	propFormat        = 0x01
	propContentType   = 0x03
	propResponseTopic = 0x08
	propCorrelation   = 0x09
	propSessionExpiry = 0x11
	propAssigned      = 0x12
	propReason        = 0x1f
	propUser          = 0x26
	propReceiveMax    = 0x21
	propMaxPacket     = 0x27
	propAliasMax      = 0x22
	propResponseInfo  = 0x19
	propProblemInfo   = 0x17
	propAuthMethod    = 0x15
	propAuthData      = 0x16
	propServer        = 0x1c
)

// uint32Prop returns the value of a property of four bytes among those of a CONNECT, PUBLISH or DISCONNECT, and its index in props; -1 if
// there is none.
func uint32Prop(props []byte, id byte) (value uint32, at int) {
	for i := 0; i < len(props); {
		p, size := props[i], 0
		rest := props[i+1:]
		switch p {
		case propSessionExpiry, propMaxPacket, propMessageExpiry:
			size = 4
		case propReceiveMax, propAliasMax:
			size = 2
		case propResponseInfo, propProblemInfo, propFormat:
			size = 1
		case propAuthMethod, propAuthData, propServer, propReason, propUser, propContentType, propResponseTopic, propCorrelation:
			strs := 1
			if p == propUser {
				strs = 2
			}
			for range strs {
				s, after, ok := mqttguard.SplitString(rest[min(size, len(rest)):])
				if !ok {
					return 0, -1
				}
				_, size = after, size+2+len(s)
			}
		default:
			return 0, -1
		}
		if len(rest) < size {
			return 0, -1
		}
		if p == id && size == 4 {
			return binary.BigEndian.Uint32(rest), i + 1
		}
		i += 1 + size
	}
	return 0, -1
}

// capSessionExpiry limits the session expiry in the properties of a CONNECT or DISCONNECT of MQTT 5, in place.
func capSessionExpiry(props []byte, maxSeconds uint32) {
	if v, at := uint32Prop(props, propSessionExpiry); at >= 0 && v > maxSeconds {
		binary.BigEndian.PutUint32(props[at:], maxSeconds)
	}
}

// parseFilters returns the filters of a SUBSCRIBE or UNSUBSCRIBE, each once, and how many are repeated. hasOptions means that an option
// byte follows each filter, as in SUBSCRIBE. ok is false if the packet is malformed, has no filter or more than maxFiltersAtOnce, or one
// that is too long.
func parseFilters(body []byte, level byte, hasOptions bool) (filters map[string]struct{}, repeated int, ok bool) {
	if len(body) < 2 {
		return nil, 0, false
	}
	filters = map[string]struct{}{}
	rest := body[2:] // skips the packet identifier
	if level == 5 {
		if _, rest, ok = splitProps(rest); !ok {
			return nil, 0, false
		}
	}
	n := 0
	for ; len(rest) > 0; n++ {
		var filter string
		if filter, rest, ok = mqttguard.SplitString(rest); !ok || !isShort(filter) || hasOptions && len(rest) == 0 {
			return nil, 0, false
		}
		if hasOptions {
			rest = rest[1:]
		}
		filters[filter] = struct{}{}
	}
	return filters, n - len(filters), 0 < n && n <= maxFiltersAtOnce
}

// isAllowedPacket reports whether a connected client may send a packet with this first byte. It excludes a second CONNECT, packets that
// only a server sends, AUTH, reserved flags and QoS 3.
func isAllowedPacket(first byte) bool {
	switch first >> 4 {
	case typePublish:
		return first&6 != 6
	case typePubrel, typeSubscribe, typeUnsubscribe:
		return first&0xf == 2
	case typePuback, typePubrec, typePubcomp, typePingreq, typeDisconnect:
		return first&0xf == 0
	}
	return false
}
