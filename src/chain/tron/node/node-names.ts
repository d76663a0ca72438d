/**
 * How each URL is shown: scheme, host and port alone, because keys of gateways stand in user names, paths and queries; with its place
 * among those that share them, in the order in which they are configured.
 */
export function nodeNames(urls: readonly string[]): (url: string) => string {
  const distinct = [...new Set(urls)];
  const names = new Map(
    distinct.map((url) => {
      const { origin } = new URL(url);
      const alike = distinct.filter((other) => new URL(other).origin === origin);
      return [url, alike.length === 1 ? origin : `${origin} (${alike.indexOf(url) + 1} of ${alike.length})`];
    }),
  );
  return (url) => names.get(url) ?? new URL(url).origin;
}
