import { Command } from 'nest-commander';
import { MissingError } from '../common/errors/domain.error';
import { OrderLookup } from '../delegation/lookup/order-lookup';
import { CliCommand } from './cli-command';
import { delegationDocument } from './delegation.document';
import { parseId } from './option-parsers';
import { type OutputOptions, printDocument } from './output';

@Command({ name: 'delegation:show', arguments: '<id>', description: 'one order with its history' })
export class DelegationShowCommand extends CliCommand {
  constructor(private readonly lookup: OrderLookup) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([text]: string[], options: OutputOptions): Promise<void> {
    const id = parseId(text!);
    const view = await this.lookup.find(id);
    if (!view) throw new MissingError('order.not-found', { id });
    printDocument(delegationDocument(view, await this.lookup.history(id)), options);
  }
}
