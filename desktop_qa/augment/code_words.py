"""The words that tell part numbers from ordinary words before numbers and from capitals."""

from __future__ import annotations

_WORDS_BEFORE_NUMBERS = """
    a about above adc aec after all among amp amps an and ansi any appendix are around as at
    bank batch baud be before below between bit bits box bps buy by bytes can case cell cells
    celsius ch channel channels chapter chip class cm code col column config dac day days deg
    degrees did din div do does down each edge eia en eq equation error even every exactly
    example fig figure firmware first for form from gain get give gnd go grade has have how
    http hz iec ieee if in into ip is iso it item its java jesd just keep kelvin key kg khz km
    last least led less level line lines list lot lux ma made make max maximum may me mhz mil
    min minimum mm mode model month more most mv need next nine no nos not note notes nr num
    number of off office ohm ohms on one only option or other out over page pages part parts
    pass per percent phase pick pin pins point points port pp put pwm python rate read reel
    register reset rev revision rfc room row rows rpm run sample samples scale scl sda sec
    section sections see serial set seven show since size slot some sps step steps sum table
    tables tcp ten than that the then these this those three tia till timer times to top two
    type ua uart udp ul under unit units until up usb use user using utf val value vcc vdd
    version via vin vol volt volts vout vref vs vss wait was watt watts were what when where
    which while win windows with within without word words would write year years zero
"""
WORDS_BEFORE_NUMBERS = frozenset(_WORDS_BEFORE_NUMBERS.split())
"""Words that people write before numbers: "figure 12", "at 125" are no part numbers."""

_VENDOR_PREFIXES = """
    ad ada adc adg adi adm adp adr ads adt adum adxl afe aic am apds as at atmega attiny ba bc
    bd bf bh bhi bma bme bmg bmi bmm bmp bno bq bs bu cc cd ch cp csd cy cyw da dac das dp drv
    ds ep esp fan fdc fds ft fxos gd ha hdc hef hih hm hmc hmp htu icm iis ina iqs ir irf irlz
    isl iso ka kt l lan lc lis lm lmh lmk lmr lms lmt lmv lp lsm lt ltc ltm lv max mb mc mcp
    mic mk ml mlx mma mp mpl mpm mpq mpr mpu msp mt nau nc ncp ncv ne nlas nrf nsi ntc op opa
    opt pam pca pcf pcm pga pic pmw qmc rfm rt rtl rx sam se sen sfh sg sgp sht si sk sn snj
    sps sst st stc stm stp sts sy tas tc tca tcan tcs tda tdc tea ths tl tlc tle tlv tmag tmp
    tms tpa tpd tps tpsm trf ts tsl tsop tsv tusb txb txs ua uc ucc uln umd upd vcnl veml vl
    vn w wm wroom x xc xl xmc xr z
"""
VENDOR_PREFIXES = frozenset(_VENDOR_PREFIXES.split())
"""Letters that makers start their part numbers with: "opa 4197" is one."""

_PLAIN_WORDS = """
    ABS ACK ALL ALSO AN AND ANY APPENDIX ARE AS AT BE BIT BITS BUT BY BYTE CAN CAUTION COM
    DATA DATE DESCRIPTION DOC EACH END FALSE FIG FIGURE FOR FROM FULL HAS HIGH HOW HTTP HTTPS
    IF IN INC IS IT ITS LAST LED LEVEL LOGIC LOW LTD MAX MAY MIN MODE MORE NAME NEW NO NOM NON
    NOT NOTE NOTES NULL NUMBER OF OFF ON ONE ONLY OPEN OR OUR OUT PAGE PAR PARAMETER PART PCB
    PDF PER PIN PINS READ REF RESET REV ROHS SEE SET SIZE STATE STEP SYMBOL TABLE TBD TEST
    THAT THE THEN THIS TI TO TOP TRUE TWO TYP TYPE UNIT UNITS URL USA USD USE VALUE VIA
    WARNING WAS WHEN WHO WHY WITH WRITE WWW YES YOU ZERO
"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS.split())
"""Words that datasheets set in capitals and that name no pin or register."""
