/** Every so many seeds. */
const EVERY = 50;

interface Once<Place> {
  readonly place: Place;
  readonly seed: number;
  readonly digest: string;
}

interface Runner {
  run(seed: number): Promise<{ readonly digest: string }>;
}

/** Some seeds are carried out once more, elsewhere where there is another place: the log has to be the same. */
export class Twice<Place> {
  count = 0;
  differing = 0;
  private seen = 0;
  private readonly once: Once<Place>[] = [];

  constructor(
    private readonly places: readonly Place[],
    private readonly every = EVERY,
  ) {}

  note(one: Once<Place>): void {
    this.seen += 1;
    if (this.seen % this.every === 0) this.once.push(one);
  }

  /** Those that are this place's to repeat, once all have been noted: of each place, the next one has them. */
  async runOthers(worker: Runner, place: Place): Promise<void> {
    for (const one of this.once.filter((other) => this.after(other.place) === place)) {
      const { digest } = await worker.run(one.seed);
      this.count += 1;
      if (digest === one.digest) continue;
      this.differing += 1;
      console.log(`seed ${one.seed}, run twice, gave two logs: ${one.digest} and ${digest}`);
    }
  }

  private after(place: Place): Place {
    return this.places[(this.places.indexOf(place) + 1) % this.places.length]!;
  }
}
