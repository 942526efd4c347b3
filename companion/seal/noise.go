package seal

import (
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"

	"golang.org/x/crypto/chacha20poly1305"
)

// noiseName is the Noise protocol by which a phone joins (noiseprotocol.org, revision 34).
const noiseName = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

// handshake is the state of one side of that protocol. Its two messages are
//
//	-> psk, e      public key(32) || payload, encrypted for all who have the pre-shared key
//	<- e, ee       public key(32) || payload, encrypted by the shared secret of both keys too
//
// Each key encrypts one payload only, so the nonce is always 0.
type handshake struct{ chain, hash, key []byte }

// newHandshake begins a handshake. Both sides have the same psk, of 32 bytes, and the same prologue.
func newHandshake(psk, prologue []byte) *handshake {
	name := sha256.Sum256([]byte(noiseName)) // longer than a hash
	s := &handshake{chain: name[:], hash: name[:]}
	s.mixHash(prologue)
	made := s.expandChain(psk, 3)
	s.mixHash(made[keySize : 2*keySize])
	return s
}

// mixHash mixes what both sides have seen into the hash, which authenticates each payload.
func (s *handshake) mixHash(seen []byte) {
	sum := sha256.Sum256(append(s.hash[:len(s.hash):len(s.hash)], seen...))
	s.hash = sum[:]
}

// expandChain mixes a secret into the chain and returns n keys of it, the first of which is the new chain.
func (s *handshake) expandChain(secret []byte, n int) []byte {
	made, err := hkdf.Key(sha256.New, secret, s.chain, "", n*keySize)
	if err != nil { // only for n above 255
		panic("seal: HKDF: " + err.Error())
	}
	s.chain = made[:keySize]
	return made
}

// mixKey mixes a secret into the chain and the key of the next payload.
func (s *handshake) mixKey(secret []byte) { s.key = s.expandChain(secret, 2)[keySize:] }

// mixPublicKey mixes in a public key that was sent; with a pre-shared key it counts as a secret, too.
func (s *handshake) mixPublicKey(public []byte) {
	s.mixHash(public)
	s.mixKey(public)
}

func (s *handshake) newCipher() cipher.AEAD {
	a, err := chacha20poly1305.New(s.key)
	if err != nil { // only for a key that is not 32 bytes
		panic("seal: " + err.Error())
	}
	return a
}

// sealPayload encrypts the payload of a message.
func (s *handshake) sealPayload(payload []byte) []byte {
	sealed := s.newCipher().Seal(nil, make([]byte, chacha20poly1305.NonceSize), payload, s.hash)
	s.mixHash(sealed)
	return sealed
}

// openPayload decrypts the payload of a message.
func (s *handshake) openPayload(sealed []byte) ([]byte, error) {
	payload, err := s.newCipher().Open(nil, make([]byte, chacha20poly1305.NonceSize), sealed, s.hash)
	if err != nil {
		return nil, ErrOpen
	}
	s.mixHash(sealed)
	return payload, nil
}

// writeFirst returns the first message, which the phone sends with its own key.
func (s *handshake) writeFirst(own *ecdh.PrivateKey, payload []byte) []byte {
	public := own.PublicKey().Bytes()
	s.mixPublicKey(public)
	return append(public, s.sealPayload(payload)...)
}

// readFirst returns the payload of the first message.
func (s *handshake) readFirst(message []byte) ([]byte, error) {
	s.mixPublicKey(message[:PublicKeySize])
	return s.openPayload(message[PublicKeySize:])
}

// writeSecond returns the second message, the answer to the phone with the public key phoneKey.
func (s *handshake) writeSecond(own *ecdh.PrivateKey, phoneKey, payload []byte) ([]byte, error) {
	public := own.PublicKey().Bytes()
	s.mixPublicKey(public)
	shared, err := sharedSecret(own, phoneKey)
	if err != nil {
		return nil, err
	}
	s.mixKey(shared)
	return append(public, s.sealPayload(payload)...), nil
}

// readSecond returns the payload of the second message.
func (s *handshake) readSecond(own *ecdh.PrivateKey, message []byte) ([]byte, error) {
	s.mixPublicKey(message[:PublicKeySize])
	shared, err := sharedSecret(own, message[:PublicKeySize])
	if err != nil {
		return nil, err
	}
	s.mixKey(shared)
	return s.openPayload(message[PublicKeySize:])
}
