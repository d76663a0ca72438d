import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** What a user gives beside the password: a code of six digits that changes every 30 seconds (TOTP, RFC 6238). */
const SecondFactorSchema = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    user: () => p.oneToOne(User).primary().ref().owner().deleteRule('restrict'),
    /** As `common/secret-cipher.ts` keeps it: encrypted where a key is set. */
    secret: p.text(),
    /** Time step of the last code that was taken: neither it nor an earlier one is taken again. */
    lastStep: p.bigint('bigint'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'second_factors_secret_length', expression: 'length(secret) <= 1000' }],
});

export class SecondFactor extends SecondFactorSchema.class {}
SecondFactorSchema.setClass(SecondFactor);
