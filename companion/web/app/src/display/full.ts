/** Reports whether the page fills the screen already, or never can: then full screen is not offered. */
export function isFull(): boolean {
  if (!document.fullscreenEnabled || document.fullscreenElement) return true;
  return matchMedia('(display-mode: fullscreen)').matches || (innerWidth === screen.width && innerHeight === screen.height);
}
