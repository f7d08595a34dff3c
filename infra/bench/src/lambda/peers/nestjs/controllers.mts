/** The controllers, and the guard in front of two of them. */

import {
  Body,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Post,
  Query,
  Req,
  UseGuards,
  ValidationPipe,
} from "@nestjs/common";

import { success } from "../domain/problems.mjs";
import { Service } from "../domain/service.mjs";
import { RegisterSrp, fieldErrors } from "./registration.mjs";
import { type KnownRequest, requestId } from "./request.mjs";

/** Admits callers with an access token. */
@Injectable()
class Bearer implements CanActivate {
  constructor(private readonly service: Service) {}

  async canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<KnownRequest>();
    request.caller = await this.service.caller(request.headers.authorization);
    return true;
  }
}

/** The caller's account. */
const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KnownRequest>().caller,
);

@Controller("api/account")
@UseGuards(Bearer)
export class AccountController {
  constructor(private readonly service: Service) {}

  @Get("me")
  async me(@Caller() caller: string) {
    return success(await this.service.me(caller), undefined);
  }
}

@Controller("api/prizes")
@UseGuards(Bearer)
export class PrizesController {
  constructor(private readonly service: Service) {}

  @Get()
  async list(@Query() query: Record<string, string>) {
    const { data, metaData } = await this.service.prizes(query);
    return success(data, metaData);
  }
}

@Controller("auth")
export class AuthController {
  constructor(private readonly service: Service) {}

  @Post("register/srp")
  @HttpCode(201)
  async registerSrp(
    @Body(new ValidationPipe({ whitelist: true, exceptionFactory: fieldErrors })) body: RegisterSrp,
    @Req() request: KnownRequest,
  ) {
    const client = {
      requestId: requestId(request),
      source: request.ip,
      userAgent: request.headers["user-agent"],
    };
    return success(await this.service.register(body, client), undefined);
  }
}
