package seal

import (
	"crypto/cipher"
	"slices"
	"sync"

	"majordome/companion/wire"
)

// officeBlock is the block size to which requests and answers are padded, in bytes: it hides the length of a PIN.
const officeBlock = 256

// MaxOfficeRequest is the size of the largest sealed request that is accepted, in bytes: the longest list of tags that can be pasted, and
// what surrounds it.
const MaxOfficeRequest = 80 << 10

// officeKeys seal requests of a host's device to the office, and its answers.
type officeKeys struct {
	request, answer cipher.AEAD

	mu   sync.Mutex
	used []uint64 // the highest numbers of opened requests, sorted
}

// officeWindow is the size of the replay window: requests that were sent together may arrive in another order.
const officeWindow = 64

// useNumberOnce returns true once for each number, and false for one that is used or too old.
func (k *officeKeys) useNumberOnce(number uint64) (isFirst bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, twice := slices.BinarySearch(k.used, number)
	if twice || at == 0 && len(k.used) == officeWindow {
		return false
	}
	k.used = slices.Insert(k.used, at, number)
	k.used = k.used[max(0, len(k.used)-officeWindow):]
	return true
}

func newOfficeKeys(k Key) (*officeKeys, error) {
	if k.IsZero() {
		return nil, ErrNoKey
	}
	return &officeKeys{request: newAEAD(deriveHKDF(k.b[:], "office", keySize)),
		answer: newAEAD(deriveHKDF(k.b[:], "office-answer", keySize))}, nil
}

// withKey returns keys made of k that remember the used numbers, too.
func (k *officeKeys) withKey(next Key) (*officeKeys, error) {
	made, err := newOfficeKeys(next)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	made.used = slices.Clone(k.used)
	return made, nil
}

// officeTopic replaces the MQTT topic in the additional data.
const officeTopic = "office"

// sealOffice pads body to a multiple of officeBlock and encrypts it.
func sealOffice(a cipher.AEAD, nonce []byte, epoch, number uint64, body []byte) ([]byte, error) {
	size := (len(body) + lengthSize + officeBlock - 1) / officeBlock * officeBlock
	return sealFrame(a, nonce, epoch, number, officeTopic, body, size)
}

// openOffice decrypts what sealOffice has made.
func openOffice(a cipher.AEAD, payload []byte) (epoch, number uint64, body []byte, err error) {
	size := len(payload) - Overhead
	if size <= 0 || size%officeBlock != 0 {
		return 0, 0, nil, ErrFormat
	}
	return openFrame(a, officeTopic, payload, size)
}

// OpenRequest opens a request of a host's device to the office in this epoch. It accepts each number once. For each key it remembers the 64
// highest numbers, and refuses lower ones too.
func (r *Ring) OpenRequest(h wire.Handset, epoch uint64, payload []byte) (number uint64, body []byte, err error) {
	k, err := r.officeKeysOf(h)
	if err != nil {
		return 0, nil, err
	}
	got, number, body, err := openOffice(k.request, payload)
	if err == nil && got != epoch {
		err = ErrEpoch
	}
	if err == nil && !k.useNumberOnce(number) {
		err = ErrReplay
	}
	if err != nil {
		return 0, nil, err
	}
	return number, body, nil
}

// SealAnswer seals the office's answer to request number of a host's device.
func (r *Ring) SealAnswer(h wire.Handset, epoch, number uint64, body []byte) ([]byte, error) {
	k, err := r.officeKeysOf(h)
	if err != nil {
		return nil, err
	}
	return sealOffice(k.answer, newNonce(), epoch, number, body)
}

// officeKeysOf returns the keys of a host's device for the office.
func (r *Ring) officeKeysOf(h wire.Handset) (*officeKeys, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if k, ok := r.offices[h]; ok {
		return k, nil
	}
	return nil, ErrNoKey
}

// SealRequest seals a request as the host's page does.
func SealRequest(k Key, epoch, number uint64, body []byte) ([]byte, error) {
	o, err := newOfficeKeys(k)
	if err != nil {
		return nil, err
	}
	return sealOffice(o.request, newNonce(), epoch, number, body)
}

// OpenAnswer opens the answer to request number as the host's page does.
func OpenAnswer(k Key, number uint64, payload []byte) ([]byte, error) {
	o, err := newOfficeKeys(k)
	if err != nil {
		return nil, err
	}
	_, got, body, err := openOffice(o.answer, payload)
	if err == nil && got != number {
		err = ErrReplay
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}
