/** Icons, drawn here on a grid of 16: no font, no request. */

const PATHS: Record<string, string> = {
  play: '<path d="M5 3.2v9.6l8-4.8z" fill="currentColor"/>',
  pause: '<path d="M4.5 3.5h2.4v9H4.5zM9.1 3.5h2.4v9H9.1z" fill="currentColor"/>',
  step: '<path d="M4 3.5v9l6-4.5zM11 3.5h1.8v9H11z" fill="currentColor"/>',
  back: '<path d="M12 3.5v9L6 8zM3.2 3.5H5v9H3.2z" fill="currentColor"/>',
  reset: '<path d="M3.2 8a4.8 4.8 0 1 0 1.5-3.5M3 2.5v3h3"/>',
  fit: '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/><rect x="5.5" y="5.5" width="5" height="5" rx=".5"/>',
  ortho: '<rect x="3" y="3" width="10" height="10"/><path d="M3 8h10M8 3v10"/>',
  perspective: '<path d="M5.5 3h5l3 10h-11zM4 8h8M8 3v10"/>',
  layers: '<path d="M8 2.5 14 6 8 9.5 2 6zM2.5 9 8 12.2 13.5 9"/>',
  eye: '<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.9"/>',
  eyeOff: '<path d="M2.5 2.5l11 11M6.2 4a6.9 6.9 0 0 1 1.8-.2c4 0 6.5 4.2 6.5 4.2a11 11 0 0 1-2 2.4M4 5.4A11 11 0 0 0 1.5 8S4 12.2 8 12.2c.9 0 1.7-.2 2.4-.5"/>',
  solo: '<circle cx="8" cy="8" r="2.2"/><path d="M8 1.5v2.5M8 12v2.5M1.5 8H4M12 8h2.5"/>',
  search: '<circle cx="7" cy="7" r="4"/><path d="m10 10 3.5 3.5"/>',
  grid: '<rect x="2.5" y="2.5" width="4.5" height="4.5" rx="1"/><rect x="9" y="2.5" width="4.5" height="4.5" rx="1"/><rect x="2.5" y="9" width="4.5" height="4.5" rx="1"/><rect x="9" y="9" width="4.5" height="4.5" rx="1"/>',
  share: '<path d="M8 9.5V2M5 4.5 8 1.8l3 2.7M4.5 7H3v7h10V7h-1.5"/>',
  save: '<path d="M8 2v7.5M5 7l3 2.8L11 7M3 11v3h10v-3"/>',
  sun: '<circle cx="8" cy="8" r="2.8"/><path d="M8 1.5v1.7M8 12.8v1.7M1.5 8h1.7M12.8 8h1.7M3.4 3.4l1.2 1.2M11.4 11.4l1.2 1.2M12.6 3.4l-1.2 1.2M4.6 11.4l-1.2 1.2"/>',
  moon: '<path d="M13 9.7A5.5 5.5 0 0 1 6.3 3 5.5 5.5 0 1 0 13 9.7z"/>',
  auto: '<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11A5.5 5.5 0 0 0 8 2.5z" fill="currentColor"/>',
  help: '<circle cx="8" cy="8" r="6"/><path d="M6.2 6.3a1.9 1.9 0 1 1 2.7 1.8c-.6.3-.9.6-.9 1.3M8 11.4v.2"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
  alert: '<path d="M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.2"/>',
  nail: '<path d="M8 14V8M5 2.5h6l-1 3 1.5 2.5h-7L6 5.5z"/>',
  tree: '<path d="M3 2.5v10h3M3 6.5h3"/><rect x="8" y="5" width="5.5" height="3" rx=".5"/><rect x="8" y="11" width="5.5" height="3" rx=".5"/>',
  sliders: '<path d="M2.5 5h7M12.5 5h1M2.5 11h1M6.5 11h7"/><circle cx="11" cy="5" r="1.5"/><circle cx="5" cy="11" r="1.5"/>',
  plot: '<path d="M2.5 2.5v11h11M4.5 10.5l3-4 2.5 2 3.5-5"/>',
  logo: '<path d="M3 12.5 5.5 5 12 3.5l1 9" stroke-width="1.6"/><g fill="currentColor" stroke="none"><circle cx="3" cy="12.5" r="1.7"/><circle cx="5.5" cy="5" r="1.7"/><circle cx="12" cy="3.5" r="1.7"/><circle cx="13" cy="12.5" r="1.7"/></g>',
  revolute: '<circle cx="8" cy="8" r="4"/><circle cx="8" cy="8" r="1" fill="currentColor"/>',
  spherical: '<circle cx="8" cy="8" r="3.5" fill="currentColor"/><path d="M3 11.5a6 6 0 0 0 10 0"/>',
  prismatic: '<path d="M1.5 8h13"/><rect x="5" y="5.5" width="6" height="5" fill="var(--panel)"/>',
  joint: '<path d="m8 3.5 4.5 4.5L8 12.5 3.5 8z"/>',
  spring: '<path d="M1.5 8h2l1-3 2 6 2-6 2 6 1-3h2"/>',
  probe: '<path d="M8 2v12M2 8h12"/><circle cx="8" cy="8" r="2.5"/>',
  ground: '<path d="M2 6h12M4 6l-2 4M8 6l-2 4M12 6l-2 4"/>',
  constraint: '<circle cx="5.5" cy="8" r="3.5"/><circle cx="11" cy="8" r="2.5"/>',
};

export type Icon = keyof typeof PATHS;

/** An icon as an element. */
export function icon(name: string, size = 16): SVGSVGElement {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg width="${size}" height="${size}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${PATHS[name] ?? ""}</svg>`;
  return holder.content.firstElementChild as SVGSVGElement;
}
