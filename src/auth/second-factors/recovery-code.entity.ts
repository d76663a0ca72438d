import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** In place of a code, once: deleting the row is using it. */
const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    user: () => p.manyToOne(User).primary().ref().deleteRule('restrict'),
    /** SHA-256: the codes are random and long, so nothing slower is needed. */
    codeHash: p.text().primary(),
  },
});

export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);
