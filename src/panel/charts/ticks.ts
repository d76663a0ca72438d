const STEPS = [1, 2, 5, 10];
const MOST_STEPS = 4;

/** Round values from 0 to the first one that is not below `most`: what an axis is marked with. Whole ones where `most` is whole. */
export function ticksUpTo(most: number): number[] {
  const wanted = Math.max(most, 1) / MOST_STEPS;
  const power = Math.max(10 ** Math.floor(Math.log10(wanted)), 1);
  const step = Math.max(power * STEPS.find((factor) => factor * power >= wanted)!, 1);
  const count = Math.max(Math.ceil(most / step), 1);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
