import { Injectable } from '@nestjs/common';
import { ChainProof } from '../../verified-chain/chain-proof';
import type { BlockHeader } from '../../proof/block-header';
import { BlockReads } from '../../tron/node/block-reads';
import { neededWitnesses } from '../../proof/final-height';
import { brokenLink, type HeaderChain } from '../../proof/header-chain';

/** A chain with two thirds of its witnesses silent is looked through no further. */
const MOST_HEADERS = 500;
/** Blocks that cannot be proved come one after the other: what is on top of one is on top of the next. */
const KEPT = 1_000;

/** Whether a block is final, by the headers on top of it, also where it is older than the verified chain reaches. */
@Injectable()
export class BuiltOn {
  /** By node and height. */
  private readonly read = new Map<string, BlockHeader>();

  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
  ) {}

  /**
   * So many witnesses have built on it that it is final (19 of 27), or what is built on it leads to a final block of the chain. False
   * when no node shows that: each is asked for itself, for one may be on a branch that has lost.
   * @param chain null where none is followed
   */
  async isFinal(block: BlockHeader, chain: HeaderChain | null): Promise<boolean> {
    for (const url of this.reads.urls) if (await this.isFinalBy(url, block, chain)) return true;
    return false;
  }

  private async isFinalBy(url: string, block: BlockHeader, chain: HeaderChain | null): Promise<boolean> {
    const { judge } = this.proof;
    const needed = neededWitnesses(judge.witnesses.length);
    const signed = new Set<string>();
    let top: BlockHeader | null = block;
    for (let above = 0; top && above < MOST_HEADERS; above++) {
      if (chain?.final && top.number <= chain.final.number && chain.holds(top.number, top.id)) return true;
      if (needed > 0 && signed.size >= needed) return true;
      top = await this.next(url, top, chain);
      if (top && judge.believes(top)) signed.add(top.witness!);
    }
    return false;
  }

  private async next(url: string, top: BlockHeader, chain: HeaderChain | null): Promise<BlockHeader | null> {
    const number = top.number + 1;
    const key = `${url} ${number}`;
    const known = [chain?.at(number), this.read.get(key)].find((header) => follows(top, header));
    if (known) return known;
    const header = await this.reads.headerAt(url, number).catch(() => null);
    if (!header || !follows(top, header)) return null;
    if (this.read.size >= KEPT) this.read.clear();
    this.read.set(key, header);
    return header;
  }
}

function follows(parent: BlockHeader, header: BlockHeader | null | undefined): boolean {
  return header !== null && header !== undefined && brokenLink(parent, header) === null;
}
