import type { Page } from 'playwright-core';
import { seriousFindings } from '../support/panel-browser';

export type Scheme = 'light' | 'dark';
export type Look = readonly [width: Width, scheme: Scheme];
type Width = 1280 | 360;

const HEIGHTS: Readonly<Record<Width, number>> = { 1280: 800, 360: 740 };
export const ALL_LOOKS: readonly Look[] = [
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'dark'],
  [360, 'light'],
];
/** What a colour scheme changes: all else was looked at in the light, if that is among the looks. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const SHELL = ['header', 'nav.menu'];

interface Options {
  readonly looks?: readonly Look[];
  /** Widths at which nothing is looked at, but it must not scroll either. */
  readonly otherWidths?: readonly number[];
  /** False: its header and menu were looked at before. */
  readonly shell?: boolean;
  /** Called for each look, with the page as it is looked at. */
  readonly seen?: (...look: Look) => Promise<void>;
}

/**
 * What axe-core finds, and the widths at which the page scrolls sideways. Without loading it again: style alone decides about both.
 * The window is as it was afterwards.
 */
export async function lookAtPage(
  page: Page,
  { looks = ALL_LOOKS, otherWidths = [], shell = true, seen }: Options = {},
): Promise<string[]> {
  const usual = page.viewportSize()!;
  const found: string[] = [];
  const alsoLight = looks.some(([, scheme]) => scheme === 'light');
  const resize = async (width: number, height: number) => {
    if (page.viewportSize()!.width !== width) await page.setViewportSize({ width, height });
    if (await scrollsSideways(page)) found.push(`${page.url()} scrolls sideways at ${width}`);
  };
  for (const [width, scheme] of looks) {
    await resize(width, HEIGHTS[width]);
    await page.emulateMedia({ colorScheme: scheme });
    const rules = scheme === 'dark' && alsoLight ? OF_COLOURS : undefined;
    const findings = await seriousFindings(page, { rules, exclude: shell ? [] : SHELL });
    found.push(...findings.map((text) => `${scheme}, ${width}: ${text}`));
    await seen?.(width, scheme);
  }
  for (const width of otherWidths) await resize(width, usual.height);
  await page.setViewportSize(usual);
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
