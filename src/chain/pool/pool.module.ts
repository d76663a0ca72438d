import { Module } from '@nestjs/common';
import { TronModule } from '../tron/tron.module';
import { VerifiedChainModule } from '../verified-chain/verified-chain.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { ObserverModule } from '../observer/observer.module';
import { DiagnoseKeys } from './doctor/diagnose-keys';
import { DiagnoseNodes } from './doctor/diagnose-nodes';
import { KeyPower } from './doctor/key-power';
import { KeyPowerSchedule } from './doctor/key-power.schedule';
import { LookAtAccount } from './doctor/look-at-account';
import { SwitchRepository } from './switches/switch.repository';
import { Switches } from './switches/switches';
import { Capacity } from './wallets/capacity';
import { ChooseWallet } from './wallets/choose-wallet';
import { LendingOutlook } from './wallets/lending-outlook';
import { NetworkRate } from './wallets/network-rate';
import { PoolForecast } from './wallets/pool-forecast';
import { PoolWalletRepository } from './wallets/pool-wallet.repository';
import { PoolWallets } from './wallets/pool-wallets';
import { ReservationRepository } from './wallets/reservation.repository';
import { Reservations } from './wallets/reservations';
import { SolidBlock } from './wallets/solid-block';
import { SolidViews } from './wallets/solid-views';
import { StakeMoves } from './wallets/stake-moves';
import { UnreadWallets } from './wallets/unread-wallets';
import { WalletActivity } from './wallets/wallet-activity';
import { WalletLoans } from './wallets/wallet-loans';
import { WalletReader } from './wallets/wallet-reader';
import { WalletRestRepository } from './wallets/wallet-rest.repository';
import { WalletRests } from './wallets/wallet-rests';
import { WalletStake } from './wallets/wallet-stake';
import { WalletViewRepository } from './wallets/wallet-view.repository';
import { WalletsWithoutKey } from './wallets/wallets-without-key';

/** The wallets that lend and activate: keys, readings, reservations, rests, and what each key may do. */
@Module({
  imports: [TronModule, VerifiedChainModule, TransactionsModule, ObserverModule],
  providers: [
    StakeMoves,
    SolidViews,
    PoolWalletRepository,
    PoolWallets,
    PoolForecast,
    SwitchRepository,
    Switches,
    SolidBlock,
    WalletReader,
    WalletViewRepository,
    WalletStake,
    WalletActivity,
    NetworkRate,
    Capacity,
    ReservationRepository,
    Reservations,
    WalletRestRepository,
    WalletRests,
    WalletsWithoutKey,
    WalletLoans,
    UnreadWallets,
    ChooseWallet,
    LendingOutlook,
    DiagnoseNodes,
    DiagnoseKeys,
    LookAtAccount,
    KeyPower,
    KeyPowerSchedule,
  ],
  exports: [
    StakeMoves,
    SolidViews,
    PoolWallets,
    PoolForecast,
    Switches,
    WalletViewRepository,
    WalletActivity,
    Capacity,
    Reservations,
    WalletRests,
    WalletsWithoutKey,
    WalletLoans,
    ChooseWallet,
    LendingOutlook,
    DiagnoseNodes,
    DiagnoseKeys,
    LookAtAccount,
    KeyPower,
  ],
})
export class PoolModule {}
