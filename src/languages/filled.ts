import type { ComponentChildren } from 'preact';

/** A text around elements, such as a time or a link: each language says where they stand. */
export function filled(texts: TemplateStringsArray, ...slots: readonly ComponentChildren[]): ComponentChildren[] {
  return texts.flatMap((text, index) => [text, slots[index]]);
}
