import type { BlockHeader, SaidBlock } from './block-header';
import { finalHeight, vouchedHeight } from './final-height';

/** What a judge looks at: consecutive headers. */
export interface Headers {
  readonly head: BlockHeader;
  newestFirst(): Iterable<BlockHeader>;
  holds(number: number, id: string): boolean;
}

/** What makes a header believed, and a block final. */
export interface Judge {
  /** Whose signatures it goes by; none with `CHAIN_PROOF=nodes`. */
  readonly witnesses: readonly Witness[];
  believes(header: BlockHeader): boolean;
  /** Negative when none is. */
  finalHeight(chain: Headers): number;
  /** Height of the newest block whose time more witnesses vouch for than `wrong` (as many as finality can miss); 0 without one. */
  vouchedHeight(chain: Headers, wrong?: number): number;
}

/** An active witness's address and the address of the key that it signs with, both `41…` in lower-case hex. */
export interface Witness {
  readonly address: string;
  readonly signing_address: string;
}

/** Why a judge that goes by signatures does not believe this header. */
export function whyNotBelieved({ signer, unverified }: BlockHeader): string {
  if (signer !== null) return 'no active witness signed it';
  const how =
    unverified === undefined ? 'cannot be verified' : `is of ${unverified}, which this version does not verify`;
  return `its signature ${how} (see CHAIN_PROOF)`;
}

/** `CHAIN_PROOF=signatures`: the active witnesses' signatures decide. */
export class SignatureJudge implements Judge {
  witnesses: readonly Witness[] = [];
  private signing = new Map<string, string>();

  constructor(witnesses: readonly Witness[] = []) {
    this.know(witnesses);
  }

  know(witnesses: readonly Witness[]): void {
    this.witnesses = witnesses;
    this.signing = new Map(witnesses.map(({ address, signing_address: signer }) => [address, signer]));
  }

  believes({ witness, signer }: BlockHeader): boolean {
    return witness !== null && signer !== null && this.signing.get(witness) === signer;
  }

  finalHeight(chain: Headers): number {
    return finalHeight(this.newestHeights(chain));
  }

  vouchedHeight(chain: Headers, wrong?: number): number {
    return vouchedHeight(this.newestHeights(chain), wrong);
  }

  private newestHeights(chain: Headers): number[] {
    const newest = new Map([...this.signing.keys()].map((address) => [address, 0]));
    for (const header of chain.newestFirst()) {
      if (newest.get(header.witness!) === 0 && this.believes(header)) newest.set(header.witness!, header.number);
    }
    return [...newest.values()];
  }
}

/** `CHAIN_PROOF=nodes`: what a node shows is believed, and its own solid block is the newest final one. */
export class NodeJudge implements Judge {
  readonly witnesses = [];
  solid: SaidBlock | null = null;

  believes(): boolean {
    return true;
  }

  finalHeight(chain: Headers): number {
    if (!this.solid) return -1;
    if (this.solid.number > chain.head.number) return chain.head.number;
    return chain.holds(this.solid.number, this.solid.id) ? this.solid.number : -1;
  }

  /** By the makers that headers name: one header that is hours ahead moves no time here either. */
  vouchedHeight(chain: Headers, wrong?: number): number {
    const newest = new Map<string, number>();
    for (const { witness, number } of chain.newestFirst())
      if (witness !== null && !newest.has(witness)) newest.set(witness, number);
    return vouchedHeight([...newest.values()], wrong);
  }
}
