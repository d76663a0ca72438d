import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ConfiguredNodes } from '../../chain/tron/node/configured-nodes';
import { WholeCheckRepository } from '../../reconciliation/whole-check/whole-check.repository';
import { WeakSettings } from '../../weak-settings/weak-settings';

/** What the service goes by and how its nodes do. */
@Injectable()
export class SettingsReader {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly nodes: ConfiguredNodes,
    private readonly lastCheck: WholeCheckRepository,
    private readonly weakSettings: WeakSettings,
  ) {}

  async read() {
    // Only what is named here is read: a new setting does not show by itself.
    const { billing, delegation, reclaim, rateLimit, reconcileMs, nodes } = this.configuration;
    return {
      settings: { billing, delegation, reclaim, rateLimit, reconcileMs },
      proof: nodes.proof,
      callsPerSecond: nodes.callsPerSecond,
      // Scheme, host and port alone: keys of gateways stand in user names, paths and queries.
      nodes: this.nodes.standings().map(({ url, ...node }) => ({ origin: new URL(url).origin, ...node })),
      check: await this.lastCheck.read(),
      weak: await this.weakSettings.list(),
    };
  }
}

export type SettingsView = Awaited<ReturnType<SettingsReader['read']>>;
