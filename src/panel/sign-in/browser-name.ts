import { parse } from 'bowser';

/** `Firefox 140 · macOS`; null for what does not say what it is. */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const { browser, os } = parse(userAgent);
  const version = browser.version?.split('.', 1)[0];
  const name = [browser.name, version].filter(Boolean).join(' ');
  return [name, os.name].filter(Boolean).join(' · ') || null;
}
