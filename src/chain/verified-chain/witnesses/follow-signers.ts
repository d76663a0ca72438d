import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../../proof/block-header';
import type { HeaderChain } from '../../proof/header-chain';
import { SignatureJudge } from '../../proof/judge';
import { type FollowedWitnesses, followWitnesses, type KnownWitnesses } from '../../proof/proved-witnesses';
import { BlockReads } from '../../tron/node/block-reads';

/** So many nodes have to show a known witness's other key, where so many are configured: one of them may lie. */
const AGREEING_NODES = 2;

/**
 * `followWitnesses`, with a look at every node in use before a key joins that is not its witness's own address. A block's id leaves the signature
 * out, and witnesses build on the id: a node can show a witness's own block under a signature by any key, and would have that key take the
 * place of the witness's.
 */
@Injectable()
export class FollowSigners {
  constructor(private readonly reads: BlockReads) {}

  async follow(chain: HeaderChain, known: KnownWitnesses): Promise<FollowedWitnesses> {
    const [agreed, resigned, doubted] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (;;) {
      const learned = followWitnesses(chain, { ...known, doubted });
      const header = learned.changes
        .filter(({ joined }) => joined !== null && joined.signing_address !== joined.address)
        .map(({ number }) => chain.at(number)!)
        .find(({ id }) => !agreed.has(id));
      if (!header) return learned;
      const found = await this.find(header, known);
      if (found?.signer === header.signer) agreed.add(header.id);
      // A node that says something else each time ends no loop.
      else if (found === null || resigned.has(header.id)) doubted.add(header.id);
      else {
        resigned.add(header.id);
        chain.resign(found);
      }
    }
  }

  /** The header under a signature that counts, where a node shows one; else under the one that most nodes show, if they are enough. */
  private async find(header: BlockHeader, known: KnownWitnesses): Promise<BlockHeader | null> {
    const judge = new SignatureJudge(known.witnesses);
    // A node that rests or is paused is silent: it would hold up every look.
    const { urls, allUrls } = this.reads;
    const answers = await Promise.allSettled(urls.map((url) => this.reads.headerAt(url, header.number)));
    const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
    const same = shown.filter(({ id, signer }) => id === header.id && signer !== null);
    const believed = same.find((one) => judge.believes(one));
    if (believed) return believed;
    const [most = [], others = []] = [...Map.groupBy(same, ({ signer }) => signer).values()].toSorted(
      (a, b) => b.length - a.length,
    );
    const needed = isNew(header, known) ? 1 : Math.min(AGREEING_NODES, allUrls.length);
    return most.length >= needed && most.length > others.length ? most[0]! : null;
  }
}

/**
 * Newly elected, or back with its key of before. Few are: one node's word on their keys decides nothing for long, and elections go on while
 * another node is silent. One that lost its place while its key was in doubt is neither.
 */
function isNew({ witness, signer }: BlockHeader, { witnesses, gone = [] }: KnownWitnesses): boolean {
  const before = [...witnesses, ...gone].filter(({ address }) => address === witness);
  return before.every(({ signing_address: key }) => key === signer);
}
