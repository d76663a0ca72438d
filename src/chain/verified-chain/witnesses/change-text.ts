import { toBase58Address } from '../../tron/addresses';
import type { Witness } from '../../proof/judge';

/** In both languages, for the log and for notices. */
export function changeText({
  number,
  joined,
  gone,
}: {
  readonly number: number | bigint;
  readonly joined: Witness | null;
  readonly gone: Witness | null;
}): { readonly en: string; readonly zh: string } {
  const [there, left] = [joined && nameOf(joined), gone && nameOf(gone)];
  if (there === null)
    return {
      en: `Witness ${left!.en} does not count any more: it has signed no block for six hours, and not every node names it (block ${number}).`,
      zh: `不再计入见证人 ${left!.zh}：六小时内没有签署任何区块，也并非所有节点都列出它（区块 ${number}）。`,
    };
  const proof = {
    en: `enough known witnesses have built on its block ${number}`,
    zh: `已有足够多的已知见证人在其区块 ${number} 之上出块`,
  };
  if (left === null)
    return {
      en: `Witness ${there.en} counts from now on: ${proof.en}.`,
      zh: `开始计入见证人 ${there.zh}：${proof.zh}。`,
    };
  return {
    en: `Witness ${there.en} takes the place of ${left.en}: ${proof.en}.`,
    zh: `见证人 ${there.zh} 取代 ${left.zh}：${proof.zh}。`,
  };
}

function nameOf({ address, signing_address: signer }: Witness): { en: string; zh: string } {
  const [witness, key] = [toBase58Address(address), toBase58Address(signer)];
  return { en: `${witness} with key ${key}`, zh: `${witness}（密钥 ${key}）` };
}
