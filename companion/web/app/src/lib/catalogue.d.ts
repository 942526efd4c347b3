// The parts of a catalogue, as build/words.ts cuts them.
declare module '*.json?phone' {
  const book: Readonly<Record<string, string>>;
  export default book;
}

declare module '*.json?rooms' {
  const book: Readonly<Record<string, string>>;
  export default book;
}
