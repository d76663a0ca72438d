import type { witnessChange as English } from '../en/witness-change';

const nameOf = ({ witness, key }: { witness: string; key: string }) => `${witness}（密钥 ${key}）`;

export const witnessChange: typeof English = ({ number, joined, gone }) => {
  if (joined === null)
    return `见证人 ${nameOf(gone!)} 六小时内没有签署任何区块，也不在所有节点的名单中，因此不再计入（区块 ${number}）。`;
  const proof = `已有足够多的已知见证人在其区块 ${number} 之上出块`;
  return gone === null
    ? `开始计入见证人 ${nameOf(joined)}：${proof}。`
    : `见证人 ${nameOf(joined)} 取代 ${nameOf(gone)}：${proof}。`;
};
