// The one question that waits for yes or no on the host's page: asking another lets it go.

let open = $state('');

export const question = {
  is: (id: string): boolean => open === id,
  ask(id: string): void {
    open = id;
  },
  close(): void {
    open = '';
  },
};
