import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from './configuration';

@Global()
@Module({})
export class ConfigurationModule {
  static with(configuration: Configuration): DynamicModule {
    return {
      module: ConfigurationModule,
      providers: [{ provide: CONFIGURATION, useValue: configuration }],
      exports: [CONFIGURATION],
    };
  }
}
