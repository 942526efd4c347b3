declare module 'virtual:settings' {
  const keys: import('./settings').Key[];
  export default keys;
}
