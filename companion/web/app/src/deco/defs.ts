// The gradients and filters that all ornaments share. They are in the page
// once, however many ornaments there are: every component calls useDefs.

const ID = 'deco-defs';

const DEFS = `<defs>
<linearGradient id="deco-gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fbeec6"/><stop offset=".42" stop-color="#d9ae61"/><stop offset=".55" stop-color="#8f622b"/><stop offset=".72" stop-color="#d6a955"/><stop offset="1" stop-color="#f6e2a8"/></linearGradient>
<linearGradient id="deco-goldflat" gradientUnits="objectBoundingBox" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f3dda2"/><stop offset="1" stop-color="#b98543"/></linearGradient>
<linearGradient id="deco-letter" gradientUnits="userSpaceOnUse" x1="0" y1="-6" x2="0" y2="106"><stop offset="0" stop-color="#fdf3d2"/><stop offset=".45" stop-color="#dcb264"/><stop offset=".56" stop-color="#9a6a30"/><stop offset=".75" stop-color="#d9ad5a"/><stop offset="1" stop-color="#f4dfa4"/></linearGradient>
<radialGradient id="deco-wedge" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="170"><stop offset=".3" stop-color="#fff0c4"/><stop offset=".62" stop-color="#e0b264"/><stop offset="1" stop-color="#8a5c28"/></radialGradient>
<radialGradient id="deco-wedgenow" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="170"><stop offset=".3" stop-color="#fff8e4"/><stop offset=".6" stop-color="#ffc878"/><stop offset="1" stop-color="#ff8f3d"/></radialGradient>
<radialGradient id="deco-halo"><stop offset="0" stop-color="#ffb661" stop-opacity=".55"/><stop offset=".5" stop-color="#ff8b3a" stop-opacity=".16"/><stop offset="1" stop-color="#ff8b3a" stop-opacity="0"/></radialGradient>
<linearGradient id="deco-flame" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffd9a0"/><stop offset=".5" stop-color="#ffb04d"/><stop offset="1" stop-color="#f06a1d"/></linearGradient>
<radialGradient id="deco-enamel" cx=".4" cy=".3" r=".85"><stop offset="0" stop-color="#fff" stop-opacity=".32"/><stop offset=".35" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".5"/></radialGradient>
<radialGradient id="deco-green" cx=".5" cy=".42" r=".8"><stop offset="0" stop-color="#1d4a40"/><stop offset=".55" stop-color="#0f2a25"/><stop offset="1" stop-color="#07120f"/></radialGradient>
<radialGradient id="deco-spot" cx=".5" cy=".42" r=".4"><stop offset="0" stop-color="#07120f"/><stop offset=".75" stop-color="#0a1d19" stop-opacity=".9"/><stop offset="1" stop-color="#0a1d19" stop-opacity="0"/></radialGradient>
<pattern id="deco-scales" width="37" height="25" patternUnits="userSpaceOnUse"><g fill="none" stroke="#d8ae62" stroke-width=".8">${drawScales()}</g></pattern>
<radialGradient id="deco-paper" cx=".5" cy=".3" r=".95"><stop offset="0" stop-color="var(--paper-0)"/><stop offset=".7" stop-color="var(--paper-1)"/><stop offset="1" stop-color="var(--paper-2)"/></radialGradient>
<filter id="deco-soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="7"/></filter>
</defs>`;

function drawScales(): string {
  const centres = [[0, 25], [37, 25], [18.5, 12.5], [18.5, 37.5], [0, 50], [37, 50]] as const;
  return centres
    .flatMap(([x, y]) => [17.5, 13, 8.5, 4].map((r) => `<path d="M${x - r} ${y}A${r} ${r} 0 0 1 ${x + r} ${y}"/>`))
    .join('');
}

/** Puts the shared gradients into the page once. */
export function useDefs(): void {
  if (typeof document === 'undefined' || document.getElementById(ID) !== null) return;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.id = ID;
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  svg.setAttribute('aria-hidden', 'true');
  svg.style.position = 'absolute';
  svg.innerHTML = DEFS;
  document.body.prepend(svg);
}
