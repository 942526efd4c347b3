// Package proof commits the table to the cards that it has dealt and to the evening that it has played, so that
// anyone can check later that nothing was changed since.
//
//	leaf := proof.NewLeaf(salt, fact)    commits to one fact; the salt hides it
//	root := proof.RootOf(leaves)         commits to all of them; it is public at once, with the leaves
//	head = head.AddStep(salt, step)      commits to all steps of an evening, in order
//
// To open a fact is to give its salt away: the fact and the salt have the leaf, and the leaves have the root
// (wire.Proof checks both). Nobody can open another fact under a public root, except by breaking SHA-256.
// Roots, leaves, heads and openings tell nothing about the facts that are not opened, as long as each salt is random
// and secret. Salt.SaltFor derives the salts of many facts from one random salt; an opened one
// does not give away the others.
//
// The tree has one level: a game has few facts, and each phone gets all leaves.
//
// What may leak: leaves have an order. It must not depend on a secret, so the caller lists the facts in an order
// that all may know.
//
// Limits: MaxLeaves leaves.
package proof
