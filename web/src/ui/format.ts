/** Numbers and units as engineers write them. Everything arrives in SI units and radians. */

const MINUS = "\u2212";
const THIN = "\u2009";

/** Four significant digits, with an exponent outside 1e-3 … 1e5: `0.2143`, `12.35`, `3.1e−14`. */
export function number(value: number | null, digits = 4): string {
  // JSON has no NaN: it arrives as null.
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  if (size === 0) return "0";
  let text: string;
  if (size >= 1e5 || size < 1e-3) text = exponent(value, Math.min(digits, 3) - 1);
  else text = value.toFixed(Math.min(Math.max(digits - 1 - Math.floor(Math.log10(size)), 0), 6));
  return text.replace("-", MINUS);
}

/** A number whose width does not change while it runs: a fixed number of decimals, a place for the sign. */
export function steady(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return number(value);
  const size = Math.abs(value);
  if (size < 5e-10) return "0.000";
  if (size >= 1e5 || size < 1e-3) return exponent(value, 1).replace("-", MINUS);
  return value.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0).replace("-", MINUS);
}

/** An error: two digits and a power of ten; what is exactly zero is `0`. */
export function error(value: number | null): string {
  if (value === null || Number.isNaN(value)) return "–";
  return value === 0 ? "0" : exponent(value, 1).replace("-", MINUS);
}

function exponent(value: number, digits: number): string {
  const [mantissa, power] = value.toExponential(digits).split("e");
  const sign = power!.startsWith("-") ? MINUS : "";
  return `${mantissa}e${sign}${power!.slice(1)}`;
}

/** How a quantity is shown: angles in degrees, small lengths in millimetres. */
export interface Shown { factor: number; unit: string }

/** The unit in which values of a unit of the engine are shown. */
export function shown(unit: string): Shown {
  if (unit === "rad") return { factor: 180 / Math.PI, unit: "°" };
  return { factor: 1, unit };
}

/** A value with its unit, angles in degrees. */
export function quantity(value: number | null, unit: string): string {
  const as = shown(unit);
  if (as.unit === "°") return value !== null && Number.isFinite(value) ? `${(value * as.factor).toFixed(1).replace("-", MINUS)}°` : "–";
  return `${number(value)}${as.unit ? THIN + as.unit : ""}`;
}

/** Length of a vector. */
export function length(x: number, y: number, z: number): number {
  return Math.hypot(x, y, z);
}

/** Time with milliseconds: `12.345`. */
export function clock(seconds: number): string {
  return seconds.toFixed(3).replace("-", MINUS);
}

/** Speeds are powers of two: `1/64 ×` … `8 ×`. */
export function speed(power: number): string {
  return power < 0 ? `1/${2 ** -power} ×` : `${2 ** power} ×`;
}

/** Bytes as `1.2 MB`. */
export function bytes(count: number): string {
  return count >= 1e6 ? `${(count / 1e6).toFixed(1)} MB` : `${Math.round(count / 1e3)} kB`;
}
