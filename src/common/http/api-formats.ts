/** How values that recur are written in the API's document: `@ApiProperty({ ...MONEY, description: … })`. */

/** TRX with exact decimals. */
export const MONEY = { type: Number, minimum: 0 } as const;
/** Transactions whose energy is meant, fractions allowed. */
export const TRANSACTIONS = { type: Number, minimum: 0 } as const;
export const ENERGY = { type: 'integer', format: 'int64', minimum: 0 } as const;
export const TRON_ADDRESS = {
  type: String,
  minLength: 34,
  maxLength: 34,
  pattern: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
} as const;
export const TXID = { type: String, pattern: '^[0-9a-f]{64}$' } as const;
export const TIME = { type: String, format: 'date-time' } as const;
