/** What a block keeps of a transaction beside its bytes: `wallet/gettransactioninfobyid` is made of it. */
export interface TransactionReceipt {
  feeSun: bigint;
  netUsed: bigint;
  netFeeSun: bigint;
  withdrawnSun?: bigint;
  cancelledSun?: { net: bigint; energy: bigint };
}

export interface IncludedTransaction {
  id: string;
  height: number;
  position: number;
  bytes: Buffer;
  receipt: TransactionReceipt;
}
