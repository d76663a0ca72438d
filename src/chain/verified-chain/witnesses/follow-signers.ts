import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../../proof/block-header';
import type { HeaderChain } from '../../proof/header-chain';
import { type Judge, SignatureJudge } from '../../proof/judge';
import { type FollowedWitnesses, followWitnesses, type KnownWitnesses } from '../../proof/proved-witnesses';
import { BlockReads } from '../../tron/node/block-reads';

/** So many nodes have to show a known witness's other key, where so many are configured: one of them may lie. */
const AGREEING_NODES = 2;

/**
 * `followWitnesses`, with a look at every node before a key joins that is not its witness's own address. A block's id leaves the signature
 * out, and witnesses build on the id: a node can show a witness's own block under a signature by any key, and would have that key take the
 * place of the witness's.
 */
@Injectable()
export class FollowSigners {
  constructor(private readonly reads: BlockReads) {}

  async follow(chain: HeaderChain, known: KnownWitnesses): Promise<FollowedWitnesses> {
    const judge = new SignatureJudge(known.witnesses);
    const [agreed, doubted] = [new Set<string>(), new Set<string>()];
    for (;;) {
      const learned = followWitnesses(chain, { ...known, doubted });
      const header = learned.changes
        .filter(({ joined }) => joined !== null && joined.signing_address !== joined.address)
        .map(({ number }) => chain.at(number)!)
        .find(({ id }) => !agreed.has(id));
      if (!header) return learned;
      const found = await this.find(header, judge);
      if (found === null) doubted.add(header.id);
      else if (found.signer === header.signer) agreed.add(header.id);
      else chain.resign(found);
    }
  }

  /**
   * The header under a signature that counts, where a node shows one; else this one if the nodes agree on its signer, and null if not. Few
   * witnesses are newly elected: one node's word on their keys decides nothing for long, and elections go on while another is silent.
   */
  private async find(header: BlockHeader, judge: Judge): Promise<BlockHeader | null> {
    const urls = this.reads.allUrls;
    const answers = await Promise.allSettled(urls.map((url) => this.reads.headerAt(url, header.number)));
    const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
    const same = shown.filter(({ id, signer }) => id === header.id && signer !== null);
    const believed = same.find((one) => judge.believes(one));
    if (believed) return believed;
    const isKnown = judge.witnesses.some(({ address }) => address === header.witness);
    const isAgreed = same.length >= (isKnown ? Math.min(AGREEING_NODES, urls.length) : 1);
    return isAgreed && same.every(({ signer }) => signer === header.signer) ? header : null;
  }
}
