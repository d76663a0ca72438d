import { writeFile } from 'node:fs/promises';
import { Inject } from '@nestjs/common';
import { ChainAdminService } from '../admin/chain-admin.service';
import type { Witness } from '../chain/proof/judge';
import { believed, WitnessSetRepository } from '../chain/verified-chain/witnesses/witness-set.repository';
import { DomainError } from '../common/errors/domain.error';
import { describeFailure, STANDARD_STREAM, streamBeside, writeToStdout } from '../common/standard-streams';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseFileOrStream } from './option-parsers';
import { type OutputOptions, printDocument, printList } from './output';

@Command({
  name: 'witnesses:list',
  description:
    'list the active witnesses whose signatures count, and those that the nodes name instead, with the digest of that set',
})
export class WitnessesListCommand extends ListCommand {
  @Inject() private readonly witnesses!: WitnessSetRepository;

  async run(_: string[], options: ListOptions): Promise<void> {
    const stored = await this.witnesses.find();
    const [known, used, offered] = [stored?.witnesses ?? [], believed(stored), stored?.offered ?? null];
    const all = new Map([...known, ...(offered ?? [])].map((witness) => [keyOf(witness), witness]));
    const rows = [...all]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .slice(0, options.limit)
      .map(([key, witness]) => ({
        ...witness,
        used: used.some((other) => keyOf(other) === key),
        offered: offered && offered.some((other) => keyOf(other) === key),
        digest: stored?.digest ?? null,
      }));
    printList(['address', 'signing_address', 'used', 'offered', 'digest'], rows, options);
  }
}

@Command({
  name: 'witnesses:accept',
  argument: { name: '<digest>' },
  description: 'use the witnesses that the nodes name instead of the present ones, as witnesses:list has shown them',
})
export class WitnessesAcceptCommand extends CliCommand {
  @Inject() private readonly admin!: ChainAdminService;

  async run([digest]: string[], options: OutputOptions): Promise<void> {
    const { witnesses, read_at: readAt } = await this.admin.acceptWitnesses(digest!, commandLineOperator());
    printDocument({ witnesses: witnesses.length, accepted_at: readAt }, options);
  }
}

@Command({
  name: 'witnesses:export',
  argument: { name: '<file>' },
  description: 'write the witnesses whose signatures count to a file, as JSON',
})
export class WitnessesExportCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly witnesses!: WitnessSetRepository;

  async run([name]: string[], options: OutputOptions): Promise<void> {
    const file = parseFileOrStream(name!);
    const witnesses = believed(await this.witnesses.find());
    if (witnesses.length === 0) throw new DomainError('witnesses.unknown');
    const exported = witnesses.map(({ address, signing_address }) => ({ address, isJobs: true, signing_address }));
    const text = `${JSON.stringify({ witnesses: exported }, null, 2)}\n`;
    try {
      await (file === STANDARD_STREAM ? writeToStdout(text) : writeFile(file, text));
    } catch (error) {
      throw new DomainError('witnesses.file-not-written', describeFailure(file, 'output', error));
    }
    printDocument({ file: name, witnesses: witnesses.length }, options, streamBeside(file));
  }
}

function keyOf({ address, signing_address: signer }: Witness): string {
  return `${address} ${signer}`;
}
