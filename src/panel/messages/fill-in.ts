/** Of a text that matches: its Chinese, with what the text says in the places of `$1`, `$2`; words of ours among that in Chinese too. */
export function fillIn(
  text: string,
  [pattern, chinese]: readonly [pattern: RegExp, chinese: string, ...rest: unknown[]],
  terms: Readonly<Record<string, string>>,
): string | undefined {
  const said = pattern.exec(text);
  if (!said) return undefined;
  return chinese.replace(/\$(\d)/g, (_, place: string) => {
    const word = said[Number(place)] ?? '';
    return Object.hasOwn(terms, word) ? terms[word]! : word;
  });
}
