import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ConfiguredNodes, type NodeStandingView } from '../../chain/tron/node/configured-nodes';
import { packageVersion } from '../../common/package-version';
import type { Weakness } from '../../common/weakness';
import { WholeCheckRepository, type WholeCheckView } from '../../reconciliation/whole-check/whole-check.repository';
import { WeakSettings } from '../../weak-settings/weak-settings';

const VERSION = packageVersion() ?? '–';

export interface ShownNode extends Omit<NodeStandingView, 'url'> {
  /** Scheme, host and port alone: keys of gateways stand in user names, paths and queries. */
  readonly origin: string;
}

export interface SettingsView {
  readonly version: string;
  readonly configuration: Pick<
    Configuration,
    'billing' | 'delegation' | 'reclaim' | 'orders' | 'rateLimit' | 'reconcileMs'
  > & { readonly proof: Configuration['nodes']['proof']; readonly callsPerSecond: number | null };
  readonly nodes: readonly ShownNode[];
  readonly check: WholeCheckView | null;
  readonly weak: readonly Weakness[];
}

/** What the service goes by and how its nodes do. Only what is named here is read: a new setting does not show by itself. */
@Injectable()
export class SettingsReader {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly nodes: ConfiguredNodes,
    private readonly lastCheck: WholeCheckRepository,
    private readonly weakSettings: WeakSettings,
  ) {}

  async read(): Promise<SettingsView> {
    const { billing, delegation, reclaim, orders, rateLimit, reconcileMs, nodes } = this.configuration;
    return {
      version: VERSION,
      configuration: {
        billing,
        delegation,
        reclaim,
        orders,
        rateLimit,
        reconcileMs,
        proof: nodes.proof,
        callsPerSecond: nodes.callsPerSecond,
      },
      nodes: this.nodes.standings().map(({ url, ...node }) => ({ origin: new URL(url).origin, ...node })),
      check: await this.lastCheck.read(),
      weak: await this.weakSettings.list(),
    };
  }
}
