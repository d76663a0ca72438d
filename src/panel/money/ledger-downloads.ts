import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../balance/ledger.service';
import { OrderLookup } from '../../delegation/lookup/order-lookup';
import { CSV_TYPE } from '../csv/csv';
import { momentsOf, rangeName, readRange } from '../dates/date-range';
import type { Form } from '../http/form';
import type { UserVisit } from '../http/visit';
import { PanelError } from '../http/panel-errors';
import { Export } from '../http/reply';
import { ledgerCsv } from './ledger.csv';

/** A user's ledger as a file, for the user and for operators. */
@Injectable()
export class LedgerDownloads {
  constructor(
    private readonly ledger: LedgerService,
    private readonly orders: OrderLookup,
  ) {}

  /** Of the range in the query, or all of it. @throws PanelError not-found for a range that is none */
  file({ user: reader }: UserVisit, userId: string, query: Form): Export {
    const asked = readRange(query, { timeZone: reader.timeZone });
    if (asked.problem) throw new PanelError('not-found');
    const chunks = ledgerCsv(this.ledger, this.orders, userId, momentsOf(asked));
    return new Export(`ledger${rangeName(asked)}.csv`, CSV_TYPE, chunks);
  }
}
