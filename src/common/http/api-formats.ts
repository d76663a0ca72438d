/** How values that recur are written in the API's document: `@ApiProperty({ ...MONEY, description: … })`. */

/** TRX with exact decimals. Without the format, generated clients round amounts to 32 bits. */
export const MONEY = { type: Number, format: 'double', minimum: 0 } as const;
/** Transactions whose energy is meant, fractions allowed. */
export const TRANSACTIONS = { type: Number, format: 'double', minimum: 0 } as const;
export const ENERGY = { type: 'integer', format: 'int64', minimum: 0 } as const;
export const TRON_ADDRESS = {
  type: String,
  minLength: 34,
  maxLength: 34,
  pattern: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
} as const;
export const TXID = { type: String, pattern: '^[0-9a-f]{64}$' } as const;
export const TIME = { type: String, format: 'date-time' } as const;
/** No `enum: [true]`: generated Python refuses every answer with one. */
export const SUCCESS = { type: Boolean, description: 'Always true' } as const;
