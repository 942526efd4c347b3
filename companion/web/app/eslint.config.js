// Only rules that find faults: the formatter (dprint.json) sees to the layout, the type check to types and names.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['src/gen/**'] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      eqeqeq: 'error',
      'array-callback-return': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': 'off', // the type check says both
      'svelte/no-useless-mustaches': 'off', // {' '} keeps a space
      'svelte/prefer-svelte-reactivity': 'off', // the sets and maps here are never changed once they are state
    },
  },
);
