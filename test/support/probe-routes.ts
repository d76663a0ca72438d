import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { Public, RequirePermission } from '../../src/auth/access.decorator';
import { ServiceError } from '../../src/common/errors/service.error';
import { DelegateRequestDto } from '../../src/delegation/dto/delegate-request.dto';
import { LimitRate } from '../../src/rate-limit/rate-limit.decorator';
import { CurrentUser, type RequestUser } from '../../src/users/request-user';

/** One route for each kind of access, doing nothing, so that what stands in front of a route is seen alone. */
@Controller('api/probe')
class ProbeRoutesController {
  @Post('delegate')
  @HttpCode(200)
  @RequirePermission('delegate')
  delegate(@Body() request: DelegateRequestDto) {
    return { receiver: request.receiver_address };
  }

  @Get('balance')
  @RequirePermission('balance')
  @LimitRate({ name: 'probe', calls: 1, windowMs: 5000 })
  balance(@CurrentUser() user: RequestUser) {
    return user;
  }

  @Get('other')
  @RequirePermission('balance')
  other() {
    return {};
  }

  @Get('public')
  @Public()
  open() {
    return {};
  }

  @Get('paused')
  @RequirePermission('balance')
  paused() {
    throw new ServiceError('PAUSED', 'as for every order while the switch is off');
  }

  @Get('undeclared')
  undeclared() {
    return {};
  }
}

@Module({ controllers: [ProbeRoutesController] })
export class ProbeRoutesModule {}
