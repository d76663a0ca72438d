import { EntitySchema } from '@mikro-orm/core';
import type { EntityClass } from '@mikro-orm/postgresql';
import * as auditLog from './audit-log/audit-entry.entity';
import * as auth from './auth/auth.entities';
import * as balance from './balance/balance.entities';
import * as billing from './billing/billing.entities';
import * as acceptedBlock from './chain/observer/unproved/accepted-block.entity';
import * as followedBlock from './chain/observer/followed-block.entity';
import * as switches from './chain/pool/switches/switch.entity';
import * as poolWallet from './chain/pool/wallets/pool-wallet.entity';
import * as walletView from './chain/pool/wallets/wallet-view.entity';
import * as chainTransaction from './chain/transactions/outbox/chain-transaction.entity';
import * as chainIdentity from './chain/tron/node/chain-identity.entity';
import * as chainFault from './chain/verified-chain/faults/chain-fault.entity';
import * as receiptHeader from './chain/verified-chain/receipts/receipt-header.entity';
import * as receiptWitnesses from './chain/verified-chain/receipts/receipt-witnesses.entity';
import * as witnessChange from './chain/verified-chain/witnesses/witness-change.entity';
import * as witnessSet from './chain/verified-chain/witnesses/witness-set.entity';
import * as databaseIdentity from './database/identity/database-identity.entity';
import * as order from './delegation/order.entity';
import * as orderEvent from './delegation/order-event.entity';
import * as orderKey from './delegation/order-key.entity';
import * as receiptShare from './delegation/lookup/receipt-share.entity';
import * as waivedActivation from './delegation/placing/waived-activation.entity';
import * as comparedPair from './delegation/reclaim/compared-pair.entity';
import * as deposits from './deposits/deposits.entities';
import * as sweeps from './deposits/sweeps/sweep.entity';
import * as stakeCare from './stake-care/stake-care.entities';
import * as finding from './findings/finding.entity';
import * as mails from './mail/mails.entities';
import * as notices from './notices/notices.entities';
import * as rateLimitWindow from './rate-limit/rate-limit-window.entity';
import * as reconciliation from './reconciliation/reconciliation.entities';
import * as reporting from './reporting/reporting.entities';
import * as users from './users/user.entity';
import * as webhooks from './webhooks/webhooks.entities';

type Entity = EntityClass | EntitySchema;

/** By subject, as the schema has them. */
const FILES: readonly (readonly object[])[] = [
  [users, auth, auditLog],
  [balance, billing],
  [chainIdentity, chainFault, witnessSet, witnessChange, receiptWitnesses, receiptHeader, acceptedBlock, followedBlock],
  [poolWallet, walletView, switches, chainTransaction],
  [stakeCare],
  [deposits, sweeps],
  [order, orderKey, orderEvent, receiptShare, waivedActivation, comparedPair],
  [reporting],
  [finding, reconciliation],
  [webhooks, notices, mails],
  [databaseIdentity],
  [rateLimitWindow],
];

/** Every table of the service: MikroORM's, for the application, and what `npm run check` compares the schema with. */
export const ENTITIES: Entity[] = FILES.flat().flatMap((file) => Object.values(file).filter(isEntity));

/** Files of entities also have the values that their columns take. */
function isEntity(value: object): value is Entity {
  return EntitySchema.is(value) || EntitySchema.REGISTRY.has(value);
}
