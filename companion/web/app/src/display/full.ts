/** Whether the page fills the screen already, or never can: then nobody is offered to have it fill it. */
export function isFull(): boolean {
  if (!document.fullscreenEnabled || document.fullscreenElement) return true;
  return matchMedia('(display-mode: fullscreen)').matches || (innerWidth === screen.width && innerHeight === screen.height);
}
