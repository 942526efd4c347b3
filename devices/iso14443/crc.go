package iso14443

// CRCA returns the CRC_A of ISO/IEC 14443-3, annex B: polynomial x^16+x^12+x^5+1, preset 6363, bits least
// significant first. It is sent low byte first.
func CRCA(b []byte) uint16 {
	crc := uint16(0x6363)
	for _, v := range b {
		v ^= byte(crc)
		v ^= v << 4
		crc = crc>>8 ^ uint16(v)<<8 ^ uint16(v)<<3 ^ uint16(v)>>4
	}
	return crc
}

// appendCRC appends the checksum of f.Tx[:n] and sets TxLen.
func (f *Frame) appendCRC(n int) {
	crc := CRCA(f.Tx[:n])
	f.Tx[n], f.Tx[n+1] = byte(crc), byte(crc>>8)
	f.TxLen = n + 2
}

// hasGoodCRC reports whether b ends with its own CRC_A.
func hasGoodCRC(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	n := len(b) - 2
	crc := CRCA(b[:n])
	return b[n] == byte(crc) && b[n+1] == byte(crc>>8)
}
