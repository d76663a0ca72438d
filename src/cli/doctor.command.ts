import { Inject } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { DiagnoseKeys } from '../chain/pool/doctor/diagnose-keys';
import { DiagnoseNodes } from '../chain/pool/doctor/diagnose-nodes';
import { shownKeySource } from '../chain/transactions/signing/key-source';
import { describeDatabase, urlsOfHosts } from '../../config/database-urls';
import type { DatabaseDiagnosis } from '../database/database-diagnosis';
import { diagnoseDurability } from '../database/diagnose-durability';
import { DatabaseIdentity } from '../database/identity/database-identity';
import { PG_POOL } from '../database/sql';
import { DiagnoseMinimum } from '../deposits/diagnose-minimum';
import { finding } from '../findings/finding';
import { inEnglish } from '../findings/finding-text';
import { termsOf } from '../reconciliation/terms/terms';
import { TermsAlarms } from '../reconciliation/terms/terms.alarms';
import { DiagnoseCareKeys } from '../stake-care/diagnose-care-keys';
import { EveryKey, type KeyView } from '../stake-care/every-key';
import { WeakSettings } from '../weak-settings/weak-settings';
import { isFault, textOf } from '../weak-settings/weakness-text';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { type KeyPlace, printFindings } from './findings.doctor';
import type { OutputOptions } from './output';

/** Settings and database are checked before this runs (early.doctor.ts), which reports what is wrong with them. */
@Command({
  name: 'doctor',
  description:
    'check settings, database, nodes and keys, and show which version of Node runs; exit with 1 if something is wrong',
})
export class DoctorCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly nodes!: DiagnoseNodes;
  @Inject() private readonly keys!: DiagnoseKeys;
  @Inject() private readonly careKeys!: DiagnoseCareKeys;
  @Inject() private readonly minimum!: DiagnoseMinimum;
  @Inject() private readonly everyKey!: EveryKey;
  @Inject() private readonly weakSettings!: WeakSettings;
  @Inject() private readonly identity!: DatabaseIdentity;
  @Inject() private readonly terms!: TermsAlarms;
  @Inject(CONFIGURATION) private readonly configuration!: Configuration;
  @Inject(PG_POOL) private readonly pool!: Pool;

  async run(_: string[], options: OutputOptions): Promise<void> {
    const weak = await this.weakSettings.list();
    const inWords = (isWanted: boolean) =>
      weak.filter((one) => isFault(one) === isWanted).map((one) => textOf(one, 'en'));
    const database = [...(await this.diagnoseRestore()), ...(await this.diagnoseDurability())];
    const nodes = await this.nodes.run();
    const reachable = !nodes.some(({ kind }) => ['no_node', 'node_unreachable', 'wrong_network'].includes(kind));
    // Keys cannot be checked without a node of the right chain; the node's finding says so already.
    const terms = await this.terms.read([{ host: 'this command', terms: termsOf(this.configuration) }]);
    const findings = [
      ...inWords(true),
      ...terms.map(inEnglish),
      ...database,
      ...nodes,
      ...(reachable ? [...(await this.keys.run()), ...(await this.careKeys.run())] : []),
    ];
    // The price of energy is a node's to say.
    const minimums = reachable ? (await this.minimum.run()).map((one) => textOf(one, 'en')) : [];
    printFindings(findings, options, [...inWords(false), ...minimums], (await this.everyKey.list()).map(placeOf));
  }

  private async diagnoseRestore(): Promise<DatabaseDiagnosis[]> {
    const differs = await this.identity.findDifference();
    return differs === null ? [] : [inEnglish(finding('database_restored', { differs }, { type: 'database' }))];
  }

  /** The embedded database has no standby, nor a setting that would name one. */
  private diagnoseDurability(): Promise<DatabaseDiagnosis[]> {
    const { url } = this.configuration.database;
    if (url === undefined) return diagnoseDurability(this.pool, 'embedded', 1);
    return diagnoseDurability(this.pool, describeDatabase(url), urlsOfHosts(url).length);
  }
}

function placeOf({ wallet: { name, role, key_source: source }, signerKey }: KeyView): KeyPlace {
  return { wallet: name, role, place: signerKey === null ? 'service' : 'signer', key: shownKeySource(source) };
}
