/** What an operation does, as commands name it. */
export const OPERATION_KINDS = ['vote', 'claim', 'freeze', 'unfreeze', 'withdraw', 'cancel-unfreeze'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export const RESOURCE_NAMES = ['energy', 'bandwidth'] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

/**
 * `planned`: committed before its bytes exist; `signed`: committed with them; `sent`: a node accepted them; `refused`: no node did, and they
 * are not sent again, but could land until they expire; `included`, `final`: in a block; `failed`: never signed, or proved never to land.
 */
export const OPERATION_STATES = ['planned', 'signed', 'sent', 'refused', 'included', 'final', 'failed'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const OPEN_STATES: readonly OperationState[] = ['planned', 'signed', 'sent', 'refused', 'included'];

/** Votes are shared among witnesses by weight. */
export interface VoteShare {
  /** base58check */
  readonly witness: string;
  readonly weight: number;
}

/** As JSON in a row: whole votes as digits. */
export type Votes = readonly { readonly witness: string; readonly votes: string }[];

/** An operation to be carried out, or under way. */
export interface OperationRow {
  readonly id: string;
  readonly wallet_id: string;
  readonly wallet: string;
  readonly kind: OperationKind;
  readonly resource: ResourceName | null;
  readonly amount_sun: bigint | null;
  readonly votes: Votes | null;
  readonly occasion: string | null;
  readonly requested_by: string;
  readonly state: OperationState;
  readonly tx_id: string | null;
  readonly error: string | null;
  readonly block_number: bigint | null;
  readonly final_at: Date | null;
  /** It is known what it has brought, or it brings nothing. */
  readonly is_paid: boolean;
  /** Null until it is decided how a claim is staked again. */
  readonly restake_energy_sun: bigint | null;
  readonly restake_bandwidth_sun: bigint | null;
  readonly created_at: Date;
}
