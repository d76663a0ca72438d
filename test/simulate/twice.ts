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

/** Some seeds are carried out once more, by another worker where there is one: the log has to be the same. */
export class Twice<Place> {
  count = 0;
  differing = 0;
  private seen = 0;
  private readonly once: Once<Place>[] = [];

  constructor(private readonly every = EVERY) {}

  note(one: Once<Place>): void {
    this.seen += 1;
    if (this.seen % this.every === 0) this.once.push(one);
  }

  /** One that another worker has carried out, or in the end any; false when there is none. */
  async runOne(worker: Runner, place: Place, isEnd: boolean): Promise<boolean> {
    const at = this.once.findIndex((one) => isEnd || one.place !== place);
    const [one] = at === -1 ? [] : this.once.splice(at, 1);
    if (!one) return false;
    const { digest } = await worker.run(one.seed);
    this.count += 1;
    if (digest !== one.digest) {
      this.differing += 1;
      console.log(`seed ${one.seed}, run twice, gave two logs: ${one.digest} and ${digest}`);
    }
    return true;
  }
}
