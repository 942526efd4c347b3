package seal

import (
	"bytes"
	"crypto/ecdh"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// noiseVector is a published test vector (testdata/noise.json, from the vectors of cacophony).
type noiseVector struct {
	Name      string   `json:"protocol_name"`
	Prologue  string   `json:"init_prologue"`
	PSKs      []string `json:"init_psks"`
	Initiator string   `json:"init_ephemeral"`
	Responder string   `json:"resp_ephemeral"`
	Hash      string   `json:"handshake_hash"`
	Messages  []struct {
		Payload string `json:"payload"`
		Sealed  string `json:"ciphertext"`
	} `json:"messages"`
}

// TestHandshakeIsNoise checks both sides against the published vector, so that the handshake is the protocol that it is called.
func TestHandshakeIsNoise(t *testing.T) {
	var v noiseVector
	if err := json.Unmarshal(mustValue(os.ReadFile("testdata/noise.json")), &v); err != nil || v.Name != noiseName {
		t.Fatal(v.Name, err)
	}
	raw := func(s string) []byte { return mustValue(hex.DecodeString(s)) }
	phoneKey := mustValue(ecdh.X25519().NewPrivateKey(raw(v.Initiator)))
	ownKey := mustValue(ecdh.X25519().NewPrivateKey(raw(v.Responder)))
	phone, daemon := newHandshake(raw(v.PSKs[0]), raw(v.Prologue)), newHandshake(raw(v.PSKs[0]), raw(v.Prologue))

	first := phone.writeFirst(phoneKey, raw(v.Messages[0].Payload))
	if !bytes.Equal(first, raw(v.Messages[0].Sealed)) {
		t.Fatalf("the first message is %x", first)
	}
	if got, err := daemon.readFirst(first); err != nil || !bytes.Equal(got, raw(v.Messages[0].Payload)) {
		t.Fatal(got, err)
	}
	second, err := daemon.writeSecond(ownKey, phoneKey.PublicKey().Bytes(), raw(v.Messages[1].Payload))
	if err != nil || !bytes.Equal(second, raw(v.Messages[1].Sealed)) {
		t.Fatalf("the second message is %x, %v", second, err)
	}
	if got, err := phone.readSecond(phoneKey, second); err != nil || !bytes.Equal(got, raw(v.Messages[1].Payload)) {
		t.Fatal(got, err)
	}
	if want := raw(v.Hash); !bytes.Equal(phone.hash, want) || !bytes.Equal(daemon.hash, want) {
		t.Error("the hash of the handshake is another")
	}
}
