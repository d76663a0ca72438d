/** A part that no other text contains; shorter ones would be found by chance. */
const SHORTEST = 10;

/** By name, what must be nowhere, in whatever form it is easily read. */
export class KnownSecrets {
  private readonly forms = new Map<string, readonly string[]>();

  add(name: string, secret: string): void {
    if (secret.length < SHORTEST) throw new Error(`${name} is too short to be looked for`);
    const bytes = Buffer.from(secret);
    // Not the last characters: what they are goes with what follows.
    const base64 = bytes.toString('base64').slice(0, Math.floor(bytes.length / 3) * 4);
    const forms = [secret, encodeURIComponent(secret), base64, bytes.toString('hex')];
    this.forms.set(
      name,
      forms.map((form) => form.toLowerCase()),
    );
  }

  get size(): number {
    return this.forms.size;
  }

  /** Names of those that the text shows, never the secret itself: a report would show it as well. */
  shownBy(text: string): string[] {
    const lower = text.toLowerCase();
    return [...this.forms].flatMap(([name, forms]) => (forms.some((form) => lower.includes(form)) ? name : []));
  }
}
