// The parts of a catalogue, as build/words.ts joins and cuts them.
declare module '*.json?phone' {
  const book: Readonly<Record<string, string>>;
  export default book;
}

declare module '*.json?later' {
  const book: Readonly<Record<string, string>>;
  export default book;
}

declare module '*.json?rooms' {
  const book: Readonly<Record<string, string>>;
  export default book;
}

declare module '*/lessons.fr.json?all' {
  const lessons: import('./lessons').Lessons;
  export default lessons;
}

declare module '*/lessons.en.json?all' {
  const lessons: import('./lessons').Lessons;
  export default lessons;
}

declare module '*/fr.json?all' {
  const book: Readonly<Record<string, string>>;
  export default book;
}

declare module '*/en.json?all' {
  const book: Readonly<Record<string, string>>;
  export default book;
}
