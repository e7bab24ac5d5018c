"""What is ordered with a part: the package, grade and reel that makers print behind its number.

The grammars are those of the makers' ordering guides. A single letter is left out: DRV8833C is a
part of its own, and which of LM224A and DRV8833C it is only the document tells.
"""

from __future__ import annotations

import re
from functools import lru_cache

_IGNORED = re.compile(r"[\s\-\u00ad\u2010-\u2015\u2212_/\\.·,()#]+")

_GRADE = "(?:-?(?:Q1|Q100|EP|SP|HT))?"
_REEL = "(?:-?(?:RL7?|R7|R2|REEL7?|TR|T1|TP|TAPE))?"

_TI_PACKAGE = (
    "(?:PWP|PW|PFB|PHP|PZ|PM|PT|PAP|DBV|DBZ|DCK|DDC|DDA|DDF|DGK|DGN|DGS|DGQ|DGV|DRV|DRB|DRC|DRG"
    "|DRJ|DRL|DRY|DRT|DSE|DSG|DSQ|DQN|DQE|DMW|DYY|DYA|DB|DW|DL|DT|DCY|DCU|DCN|DSC|DPW|DBQ|KCS|KTT"
    "|KVU|KCT|NDE|NDP|NDC|NEB|NS|PS|RGT|RGE|RGW|RGY|RGZ|RHA|RHB|RHL|RTE|RTW|RTY|RTX|RSA|RSE|RSL"
    "|RSM|RUG|RUM|RUN|RVC|RWR|RNN|RNX|RPJ|RMS|RUK|RUT|YFF|YFP|YZF|YZP|YZR|YKA|YBG|ZQE|ZXH|LPG|LP"
    "|MDA|MHX|FKB|JG)"
)
_TI_REEL = "(?:R|T)?(?:G4|E4|G3)?"

_SUFFIXES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Grade alone: the automotive or enhanced twin of a part is sold by a sheet of its own, and
        # is none of these.
        r"/NOPB|-?N/NOPB",
        # Texas Instruments: temperature grade, package, reel, "green" mark.
        rf"[IQEM]?{_TI_PACKAGE}{_TI_REEL}(?:/NOPB|Q1|-Q1|EP|-EP)?",
        r"(?:[IQE](?:D|P|N|DR|PR)|DR|PR|DT|DG4|DRG4|DRE4|PE4|NE4)(?:G4|E4)?(?:/NOPB)?",
        # Texas Instruments, from National: "MX/NOPB", "MM/NOPB", "IMFX/NOPB".
        r"[A-Z]{0,2}(?:M[ADFMPXTH]?|T|N|Z|SD|SQ|TL)X?/NOPB",
        # Microchip and Atmel: reel, temperature grade, package; "-AU", "-20PU".
        r"(?:-\d{2,3})?T?-?[IEHMC]/[A-Z0-9]{1,4}(?:VAO)?",
        r"-(?:\d{1,2})?(?:AU|PU|MU|MUR|AUR|SU|SUR|XU|SSU|SSHD?|XHD?|SHD?|MAHD?|MMH)(?:-?[TBR])?",
        # Analog Devices: grade, package, lead-free mark, reel.
        r"[A-DSTWJK](?:R|RM|RU|RW|RQ|RT|RJ|RN|N|P|D|C|CP|CB|CC|ST|KS|UJ|BC|BP|BZ|RMZ)(?:Z|Z?-\d+)?"
        r"(?:-\d+)?" + _REEL,
        # Linear Technology: grade, package, "#PBF" or "#TRPBF".
        r"[CIHEM]?[A-Z]{1,4}\d{0,2}(?:-\d(?:\.\d+)?)?\#(?:TR|W)*(?:PBF|M?TRPBF|TRM?PBF)",
        # Maxim: grade, package, lead-free mark, reel.
        r"[A-D]?[CEAIMG](?:SE|PE|WE|UE|UP|UA|SA|PA|PD|SD|EE|AE|AI|UT|XK|XA|TE|TP|TB|TA|TC|TD|LA|EK"
        r"|EP|AP|NG|WG|PG|JE|UB|UK|WI|TI|TJ)(?:/V)?(?:\+|-)?T?",
        # NXP, Nexperia: package, version and packing number.
        r"(?:T|TS|TK|D|DB|PW|BQ|BS|GW|GM|GV|GF|DP|DC|U|UK)(?:/\w{1,3})?,\d{3}",
        # STMicroelectronics: package, temperature range, reel.
        r"[A-Z]?\d?[A-Z]?[THUYIEPMG][3567](?:TR|U|A)?",
        r"(?:CV|CDT|ABV|ABD2T|CD2T|ACV|DT|DTR|D2T|D2TR|PTR|TR|STR|QTR|YTR)(?:-TR|-DG)?",
        # Voltage of a regulator: "-3.3", "MPX-5.0/NOPB", "-ADJ".
        r"(?:[A-Z]{1,3})?-(?:\d{1,2}\.\d{1,2}|ADJ)(?:/NOPB)?",
        # Nordic, Espressif, onsemi, Diodes, Infineon, Winbond, others: behind a hyphen or whole.
        r"-(?:QIAA|QFAA|QDAA|CAAA|CKAA|CIAA|QCAA|QFAB|QFAC|CFAC|CEAA)(?:-[A-Z]\w{0,3}){0,2}",
        r"(?:DT|D|ST|CT|BT|MX|DW|DR2|D2T)?(?:R2|T3|T1|TR|RK|T4|R4)G",
        r"-(?:7|13|13-F|7-F|F)|(?:S|ST|STRL|STRR|L|Z)?-?(?:PBF|TRPBF)",
        r"(?:SS|SN|SV|ZP|ZE|TB|DA|UX)[IJAS][QGMFPN](?:TR)?",
        r"-(?:REEL7?|RL7?|R7|R2|TR|T1|TRPBF|T|R|CT|ND|TAPE)",
    )
)


def is_order_suffix(text: str) -> bool:
    """Tell whether what stands behind a part number is a package, grade or reel, as typed.

    Args:
        text: "PWPR", "-E/CH", "ARMZ-R7", "#PBF"; one letter alone is none.
    """
    text = text.strip()
    return any(pattern.fullmatch(text) for pattern in _SUFFIXES)


@lru_cache(maxsize=8192)
def rest_behind(code: str, stem: str) -> str:
    """Return what a typed code has behind a part, as typed; "" when it does not start with it.

    Args:
        code: As typed.
        stem: The part in normal form, without separators and in lower case.
    """
    position = 0
    for char in stem:
        while position < len(code) and _IGNORED.match(code[position]):
            position += 1
        if position == len(code) or code[position].casefold() != char:
            return ""
        position += 1
    return code[position:]
