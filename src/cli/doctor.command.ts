import { Inject } from '@nestjs/common';
import { Command } from 'nest-commander';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { configurationWarnings } from '../../config/configuration-warnings';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { DiagnoseNodes } from '../chain/doctor/diagnose-nodes';
import { CliCommand } from './cli-command';
import { describeNode, printNode } from './node.doctor';
import { type OutputOptions, printDocument, printLine, printList } from './output';

/** Settings and database are checked before this runs (main.ts, database.doctor.ts), which reports what is wrong with them. */
@Command({
  name: 'doctor',
  description:
    'checks settings, database, nodes and keys, and says which Node runs; exit code 1 when something is wrong',
})
export class DoctorCommand extends CliCommand {
  constructor(
    private readonly nodes: DiagnoseNodes,
    private readonly keys: DiagnoseKeys,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    const settings = configurationWarnings(this.configuration);
    const nodes = await this.nodes.run();
    const reachable = !nodes.some(({ kind }) => ['no_node', 'node_unreachable', 'wrong_network'].includes(kind));
    // Keys cannot be checked without a node of the right chain; the node's finding says so already.
    const findings = [...settings, ...nodes, ...(reachable ? await this.keys.run() : [])];
    if (findings.length > 0) process.exitCode = 1;
    const node = describeNode();
    if (options.json) return printDocument({ ok: findings.length === 0, node, findings }, options);
    printNode(node);
    if (findings.length === 0) return printLine('ok: settings, database, nodes and keys');
    printList(
      ['kind', 'subject', 'reason', 'next_step'],
      findings.map((finding) => ({ ...finding })),
      options,
    );
  }
}
